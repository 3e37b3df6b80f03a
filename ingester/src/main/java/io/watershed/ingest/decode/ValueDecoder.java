package io.watershed.ingest.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.MeterRegistry;
import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.ResourceType;
import io.watershed.ingest.catalogue.KeyCatalogue;
import io.watershed.ingest.catalogue.Placement;
import io.watershed.ingest.decode.StoredVersions.Step;
import io.watershed.ingest.etcd.EtcdValue;
import io.watershed.ingest.transcode.Cbor;
import io.watershed.ingest.transcode.DecodedObject;
import io.watershed.ingest.transcode.ProtobufObject;
import io.watershed.ingest.transcode.Undecodable;
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
    public static final int CODEC = 2;

    private static final Logger LOGGER = LoggerFactory.getLogger(ValueDecoder.class);
    private static final int WARNINGS = 1000;
    private static final byte[] ENCRYPTED = "k8s:enc:".getBytes(UTF_8);
    private static final int LONGEST_VERSION = 500;
    private static final String UNKNOWN_FIELDS =
            "the object was written by a newer Kubernetes than this ingester knows: upgrade gateways, then ingesters";

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
        try {
            if (ProtobufObject.is(bytes)) {
                return protobuf(placement, value);
            }
            return json(placement, value, Cbor.is(bytes) ? Cbor.toJson(bytes) : bytes);
        } catch (Undecodable e) {
            return opaque(
                    placement,
                    value,
                    Encoding.RAW,
                    e.getMessage()
                            + "; upgrade the ingester if a newer Kubernetes wrote it, else restore it or delete the key");
        }
    }

    private ObjectValue json(Placement placement, EtcdValue value, byte[] text) throws Undecodable {
        JsonTree json = new JsonTree();
        Map<String, @Nullable Object> object = json.parseObject(text);
        if (object == null) {
            return opaque(
                    placement,
                    value,
                    Encoding.RAW,
                    json.refusal() == null
                            ? "it is no JSON object; write one to this key, or delete it"
                            : json.refusal());
        }
        if (json.hadDuplicates()) {
            count("duplicate", value.key(), "of a member that stands twice the last one counts");
        }
        Identity identity = Identity.of(placement, object);
        String stored = Identity.text(object, "apiVersion");
        Step step = step(placement, stored, Identity.text(object, "kind"));
        if (step == Step.IMPOSSIBLE) {
            return otherVersion(placement, value, identity, stored);
        }
        ResourceName name = Objects.requireNonNull(placement.name());
        if (identity.contradicts(object, name, step != Step.NONE)) {
            countMismatch(value.key());
        }
        Map<String, @Nullable Object> merged = identity.merged(object, name, value.modRevision());
        complete(placement, step, merged);
        return new ObjectValue(JsonTree.write(merged), CODEC, step == Step.NONE ? null : stored, null);
    }

    private ObjectValue protobuf(Placement placement, EtcdValue value) throws Undecodable {
        ProtobufObject stored = ProtobufObject.of(value.value());
        Identity identity = Identity.of(placement, ordered("kind", stored.kind(), "apiVersion", stored.apiVersion()));
        Step step = step(placement, stored.apiVersion(), stored.kind());
        if (step == Step.IMPOSSIBLE) {
            return otherVersion(placement, value, identity, stored.apiVersion());
        }
        DecodedObject decoded = decoded(stored, step, identity, placement, value.modRevision());
        boolean otherKind = differs(stored.kind(), identity.kind());
        boolean misplaced = step == Step.NONE && differs(stored.apiVersion(), identity.apiVersion());
        if (decoded.contradictsKey() || otherKind || misplaced) {
            countMismatch(value.key());
        }
        if (decoded.isPartial()) {
            count(Encoding.PARTIAL.header(), value.key(), UNKNOWN_FIELDS);
        }
        return new ObjectValue(
                step.converts() || decoded.isIncomplete() ? completed(placement, step, decoded.json()) : decoded.json(),
                CODEC,
                step == Step.NONE ? null : stored.apiVersion(),
                decoded.isPartial() ? Encoding.PARTIAL : null);
    }

    private static DecodedObject decoded(
            ProtobufObject stored, Step step, Identity identity, Placement placement, long revision)
            throws Undecodable {
        // Where the fields are the same, today's message shows them by today's rules.
        boolean asOurs = step == Step.RENAME || stored.kind().isEmpty();
        ResourceName name = Objects.requireNonNull(placement.name());
        return stored.json(
                asOurs ? identity.apiVersion() : stored.apiVersion(),
                asOurs ? identity.kind() : stored.kind(),
                new ProtobufObject.Identity(
                        identity.kind(), identity.apiVersion(), revision, name.name(), name.namespace()));
    }

    private static boolean differs(String said, String is) {
        return !said.isEmpty() && !said.equals(is);
    }

    private static Step step(Placement placement, @Nullable String apiVersion, @Nullable String kind)
            throws Undecodable {
        if (apiVersion != null && apiVersion.length() > LONGEST_VERSION) {
            throw new Undecodable("apiVersion is too long"); // for a header
        }
        return placement instanceof Placement.BuiltIn builtIn
                ? StoredVersions.step(builtIn.type(), apiVersion, kind)
                : Step.NONE;
    }

    private static byte[] completed(Placement placement, Step step, byte[] json) {
        Map<String, @Nullable Object> object = Objects.requireNonNull(new JsonTree().parseObject(json));
        complete(placement, step, object);
        return JsonTree.write(object);
    }

    private static void complete(Placement placement, Step step, Map<String, @Nullable Object> object) {
        if (placement instanceof Placement.BuiltIn builtIn) {
            Conversions.apply(step, object);
            Defaults.apply(builtIn.type(), object);
        }
    }

    private ObjectValue otherVersion(Placement placement, EtcdValue value, Identity identity, @Nullable String stored) {
        count(
                Encoding.VERSION.header(),
                value.key(),
                "stored as " + stored
                        + ", which can't be converted: read it through kube-apiserver and write it back as "
                        + identity.apiVersion());
        Map<String, @Nullable Object> stub = identity.object(placement.name(), value.modRevision());
        stub.put("watershed", ordered("enc", Encoding.VERSION.header(), "storedVersion", stored));
        return new ObjectValue(JsonTree.write(stub), CODEC, stored, Encoding.VERSION);
    }

    private void countMismatch(EtcdKey key) {
        count("mismatch", key, "the key wins over what the value says of kind, namespace and name");
    }

    private ObjectValue opaque(Placement placement, EtcdValue value, Encoding encoding, String reason) {
        count(encoding.header(), value.key(), reason);
        Map<String, @Nullable Object> stub =
                Identity.of(placement, Map.of()).object(placement.name(), value.modRevision());
        Map<String, @Nullable Object> about = ordered("enc", encoding.header(), "reason", reason);
        about.put("valueBase64", Base64.getEncoder().encodeToString(value.value()));
        stub.put("watershed", about);
        return new ObjectValue(JsonTree.write(stub), CODEC, null, encoding);
    }

    private byte[] document(Placement.Document document, EtcdValue value) {
        if (document.displaced()) {
            count(
                    "displaced",
                    value.key(),
                    "its resource is one of the configured documents, so the API does not show it: give the documents another"
                            + " plural or group");
        }
        ResourceType type = document.type();
        JsonTree json = new JsonTree();
        Map<String, @Nullable Object> object = json.parseObject(value.value());
        if (object != null && json.hadDuplicates()) {
            count("duplicate", value.key(), "of a member that stands twice the last one counts");
        }
        ResourceName name = document.name();
        Map<String, @Nullable Object> whole = new Identity(type.kind(), type.apiVersion())
                .object(
                        name == null ? new ResourceName(type.resource(), null, document.documentName()) : name,
                        value.modRevision());
        if (object == null || type.equals(BuiltInResources.KEY_VALUE)) {
            whole.put("spec", wrapped(object, value.value()));
        } else if (object.keySet().stream().anyMatch(whole::containsKey)) {
            count(
                    "wrapped",
                    value.key(),
                    "it has members kind, apiVersion or metadata of its own, so the whole of it stands under spec");
            whole.put("spec", object);
        } else {
            whole.putAll(object);
        }
        return JsonTree.write(whole);
    }

    private static Map<String, @Nullable Object> wrapped(@Nullable Map<String, @Nullable Object> object, byte[] value) {
        Map<String, @Nullable Object> spec = new LinkedHashMap<>();
        if (object != null) {
            spec.put("json", object);
        } else {
            String text = Utf8.decode(value);
            spec.put(
                    text == null ? "valueBase64" : "value",
                    text == null ? Base64.getEncoder().encodeToString(value) : text);
        }
        return spec;
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
