package io.watershed.gateway.cache;

import io.watershed.gateway.select.FieldLabels;
import io.watershed.gateway.select.Selectable;
import io.watershed.log.Encoding;
import io.watershed.log.EtcdKey;
import io.watershed.log.KeyVersion;
import io.watershed.log.ResourceName;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object as the cache holds it: its bytes, and what selectors ask for.
 *
 * <p><em>Threads:</em> immutable, any.
 */
public final class ObjectEntry implements Selectable {
    private final EtcdKey key;
    private final ResourceName name;
    private final KeyVersion version;
    private final byte[] json;
    private final @Nullable Encoding encoding;
    private final boolean ascii;
    private final String[] labels;
    private final String[] fields;

    /**
     * @param json begins with the fixed prefix of every value
     * @param encoding null for a full object
     * @param fields by {@link io.watershed.gateway.select.FieldLabels.Field#key() key}, defaults applied
     */
    public ObjectEntry(
            EtcdKey key,
            ResourceName name,
            KeyVersion version,
            byte[] json,
            @Nullable Encoding encoding,
            Map<String, String> labels,
            Map<String, String> fields) {
        this.key = key;
        this.name = name;
        this.version = version;
        this.json = json;
        this.encoding = encoding;
        this.ascii = isAscii(json);
        this.labels = pairs(labels);
        this.fields = pairs(fields);
    }

    private static boolean isAscii(byte[] bytes) {
        int all = 0;
        for (byte b : bytes) {
            all |= b;
        }
        return all >= 0;
    }

    private static String[] pairs(Map<String, String> map) {
        String[] pairs = new String[2 * map.size()];
        int i = 0;
        for (Map.Entry<String, String> entry : map.entrySet()) {
            pairs[i++] = entry.getKey();
            pairs[i++] = entry.getValue();
        }
        return pairs;
    }

    private static @Nullable String find(String[] pairs, String key) {
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i].equals(key)) {
                return pairs[i + 1];
            }
        }
        return null;
    }

    public EtcdKey key() {
        return key;
    }

    public ResourceName name() {
        return name;
    }

    public KeyVersion version() {
        return version;
    }

    /** Compact UTF-8. Not to be written to. */
    public byte[] json() {
        return json;
    }

    /** Why the value is not the full object; null when it is. */
    public @Nullable Encoding encoding() {
        return encoding;
    }

    /** For people: names the key, why the value is not the full object, and the remedy; null when it is. */
    public @Nullable String defect() {
        if (encoding == null) {
            return null;
        }
        return "the value of " + key + " "
                + switch (encoding) {
                    case RAW -> raw();
                    case ENCRYPTED -> "is encrypted in etcd; reading it needs etcd without encryption at rest";
                    case VERSION ->
                        "is stored in a version that can't be converted; read and write it once through kube-apiserver";
                    case OVERSIZE ->
                        "is larger than a record may be; raise max.message.bytes of the topic, or make it smaller";
                    case PARTIAL -> "is known in part only";
                };
    }

    /** The ingester says why, with the remedy; what was published by earlier ones does not. */
    private String raw() {
        String reason = ScalarAt.path(json, ".watershed.reason");
        return reason == null ? "can't be decoded; write it again, or delete it" : "can't be decoded: " + reason;
    }

    /** Whether the JSON holds no byte above 0x7f. */
    public boolean ascii() {
        return ascii;
    }

    @Override
    public @Nullable String label(String label) {
        return find(labels, label);
    }

    /** A key that begins with a dot is a path into the JSON, which is looked up there when it is asked for. */
    @Override
    public @Nullable String field(String field) {
        return field.startsWith(FieldLabels.PATH) ? ScalarAt.path(json, field) : find(fields, field);
    }
}
