package io.watershed.gateway.cache;

import io.watershed.gateway.select.Selectable;
import io.watershed.log.Encoding;
import io.watershed.log.EtcdKey;
import io.watershed.log.KeyVersion;
import io.watershed.log.ResourceName;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One object as the log holds it, with what selectors need to know of it.
 *
 * <p><em>Threads:</em> immutable. The JSON's array is the object's own and is not to be written to.
 */
public final class ObjectEntry implements Selectable {
    private final EtcdKey key;
    private final ResourceName name;
    private final KeyVersion version;
    private final byte[] json;
    private final @Nullable Encoding encoding;
    private final boolean ascii;
    private final Map<String, String> labels;
    private final Map<String, String> fields;

    ObjectEntry(
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
        this.labels = Map.copyOf(labels);
        this.fields = Map.copyOf(fields);
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

    /** Compact UTF-8 JSON with the fixed prefix of the log. */
    public byte[] json() {
        return json;
    }

    /** Why this is not the full object; null if it is. */
    public @Nullable Encoding encoding() {
        return encoding;
    }

    /** Whether the JSON is ASCII throughout. */
    public boolean ascii() {
        return ascii;
    }

    @Override
    public @Nullable String label(String label) {
        return labels.get(label);
    }

    @Override
    public @Nullable String field(String field) {
        return fields.get(field);
    }

    private static boolean isAscii(byte[] json) {
        for (byte b : json) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }
}
