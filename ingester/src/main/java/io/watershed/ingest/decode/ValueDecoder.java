package io.watershed.ingest.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.MeterRegistry;
import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.ResourceType;
import io.watershed.ingest.catalogue.KeyCatalogue;
import io.watershed.ingest.catalogue.Placement;
import io.watershed.ingest.etcd.EtcdValue;
import io.watershed.log.Encoding;
import io.watershed.log.EtcdKey;
import io.watershed.log.KeyVersion;
import io.watershed.log.ObjectRecord;
import io.watershed.log.ObjectValue;
import io.watershed.log.ResourceName;
import io.watershed.log.ValueHash;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Makes the record of a live key. Every value begins with kind, apiVersion and metadata.resourceVersion, in this order; the rest keeps the
 * order in which it is stored. The key wins over what the value says of kind, name and namespace.
 */
public final class ValueDecoder {
    /** Number of this codec: raised whenever the same bytes would give another value; such keys are then published anew. */
    public static final int CODEC = 1;

    private static final Logger LOGGER = LoggerFactory.getLogger(ValueDecoder.class);
    private static final int WARNINGS = 1000;
    private static final byte[] PROTOBUF = {'k', '8', 's', 0};
    private static final byte[] ENCRYPTED = "k8s:enc:".getBytes(UTF_8);
    private static final byte[] CBOR = {(byte) 0xd9, (byte) 0xd9, (byte) 0xf7};

    /** Deployments, ingresses and others were kinds of this group first, under the same keys. */
    private static final String BIRTHPLACE = "extensions";

    private final KeyCatalogue catalogue;
    private final MeterRegistry meters;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    public ValueDecoder(KeyCatalogue catalogue, MeterRegistry meters) {
        this.catalogue = catalogue;
        this.meters = meters;
    }

    public @Nullable ResourceName name(EtcdKey key) {
        return catalogue.place(key).name();
    }

    public ObjectRecord decode(EtcdValue value) {
        Placement placement = catalogue.place(value.key());
        ObjectValue object;
        if (placement instanceof Placement.Document document) {
            object = new ObjectValue(document(document, value), CODEC, null, null);
        } else {
            object = object(placement, value);
        }
        return new ObjectRecord(value.key(), version(value), placement.name(), object);
    }

    /** The record for a value that no record can hold: everything but the value. */
    public ObjectRecord oversize(ObjectRecord record, long bytes) {
        count("oversize", record.key(), "raise max.message.bytes of the topic, or make the object smaller");
        ObjectValue full = Objects.requireNonNull(record.value());
        Identity identity = Identity.of(full.json());
        Map<String, @Nullable Object> stub =
                identity.object(record.resource(), record.version().modRevision());
        stub.put(
                "watershed",
                ordered("enc", Encoding.OVERSIZE.header(), "bytes", new JsonTree.Digits(Long.toString(bytes))));
        return new ObjectRecord(
                record.key(),
                record.version(),
                record.resource(),
                new ObjectValue(JsonTree.write(stub), CODEC, full.storedVersion(), Encoding.OVERSIZE));
    }

    private static KeyVersion version(EtcdValue value) {
        return new KeyVersion(
                value.createRevision(),
                value.modRevision(),
                value.version(),
                value.lease(),
                ValueHash.of(value.value()));
    }

    private ObjectValue object(Placement placement, EtcdValue value) {
        byte[] bytes = value.value();
        if (startsWith(bytes, ENCRYPTED)) {
            return opaque(placement, value, Encoding.ENCRYPTED, "give the ingester etcd's values unencrypted");
        }
        if (startsWith(bytes, PROTOBUF) || startsWith(bytes, CBOR)) {
            return opaque(placement, value, Encoding.RAW, "this version reads JSON values only");
        }
        JsonTree json = new JsonTree();
        Map<String, @Nullable Object> object = json.parseObject(bytes);
        if (object == null) {
            return opaque(placement, value, Encoding.RAW, "write a JSON object to this key, or delete it");
        }
        if (json.hadDuplicates()) {
            count("duplicate", value.key(), "of a member that stands twice the last one counts");
        }
        Identity identity = Identity.of(placement, object);
        String stored = Identity.text(object, "apiVersion");
        if (placement instanceof Placement.BuiltIn builtIn && isOtherVersion(builtIn.type(), stored)) {
            count(
                    "version",
                    value.key(),
                    "write the object in " + builtIn.type().apiVersion());
            Map<String, @Nullable Object> stub = identity.object(placement.name(), value.modRevision());
            stub.put("watershed", ordered("enc", Encoding.VERSION.header(), "storedVersion", stored));
            return new ObjectValue(JsonTree.write(stub), CODEC, stored, Encoding.VERSION);
        }
        if (identity.contradicts(object, Objects.requireNonNull(placement.name()))) {
            count("mismatch", value.key(), "the key wins over what the value says of kind, namespace and name");
        }
        return new ObjectValue(
                JsonTree.write(identity.merged(object, Objects.requireNonNull(placement.name()), value.modRevision())),
                CODEC,
                null,
                null);
    }

    /** Another version of the same group, or the group where it was born: what it holds may mean something else there. */
    private static boolean isOtherVersion(ResourceType type, @Nullable String stored) {
        if (stored == null || stored.equals(type.apiVersion())) {
            return false;
        }
        int slash = stored.indexOf('/');
        String group = slash < 0 ? "" : stored.substring(0, slash);
        return group.equals(type.group()) || group.equals(BIRTHPLACE);
    }

    private ObjectValue opaque(Placement placement, EtcdValue value, Encoding encoding, String remedy) {
        count(encoding.header(), value.key(), remedy);
        Map<String, @Nullable Object> stub =
                Identity.of(placement, Map.of()).object(placement.name(), value.modRevision());
        stub.put(
                "watershed",
                ordered(
                        "enc",
                        encoding.header(),
                        "valueBase64",
                        Base64.getEncoder().encodeToString(value.value())));
        return new ObjectValue(JsonTree.write(stub), CODEC, null, encoding);
    }

    private byte[] document(Placement.Document document, EtcdValue value) {
        ResourceType type = BuiltInResources.KEY_VALUE;
        Map<String, @Nullable Object> spec = new LinkedHashMap<>();
        JsonTree json = new JsonTree();
        Map<String, @Nullable Object> object = json.parseObject(value.value());
        if (object != null) {
            spec.put("json", object);
            if (json.hadDuplicates()) {
                count("duplicate", value.key(), "of a member that stands twice the last one counts");
            }
        } else {
            String text = Utf8.decode(value.value());
            spec.put(
                    text == null ? "valueBase64" : "value",
                    text == null ? Base64.getEncoder().encodeToString(value.value()) : text);
        }
        Map<String, @Nullable Object> whole = new Identity(type.kind(), type.apiVersion())
                .object(new ResourceName(type.resource(), null, document.documentName()), value.modRevision());
        whole.put("spec", spec);
        return JsonTree.write(whole);
    }

    /** The first of a kind in a resource is a warning, the others are counted: one bad writer must not fill a disk. */
    private void count(String encoding, EtcdKey key, String remedy) {
        meters.counter("watershed_ingester_decode_failures", "encoding", encoding)
                .increment();
        ResourceName name = name(key);
        boolean first = warned.size() < WARNINGS && warned.add(encoding + " " + (name == null ? "" : name.resource()));
        LOGGER.atLevel(first ? Level.WARN : Level.DEBUG)
                .addKeyValue("key", key)
                .addKeyValue("encoding", encoding)
                .addKeyValue("remedy", remedy)
                .log("value is not published as it stands in etcd");
    }

    static Map<String, @Nullable Object> ordered(String first, Object value, String second, @Nullable Object other) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put(first, value);
        map.put(second, other);
        return map;
    }

    private static boolean startsWith(byte[] bytes, byte[] magic) {
        return bytes.length >= magic.length && Arrays.equals(bytes, 0, magic.length, magic, 0, magic.length);
    }
}
