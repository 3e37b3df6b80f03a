package io.watershed.log.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.log.Encoding;
import io.watershed.log.Entry;
import io.watershed.log.EtcdKey;
import io.watershed.log.Generation;
import io.watershed.log.KeyVersion;
import io.watershed.log.LogFailure;
import io.watershed.log.LogRecord;
import io.watershed.log.ObjectRecord;
import io.watershed.log.ObjectValue;
import io.watershed.log.ResourceName;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Records to bytes and back. The format is final: docs/log.md states it, golden records pin it.
 *
 * <p><em>Threads:</em> stateless, any thread. <em>Errors:</em> what can't be read is {@link LogFailure.Undecodable}, never skipped.
 */
public final class RecordCodec {
    /** The record format; a reader refuses a lineage record with a higher one. */
    public static final int FORMAT = 1;
    /** Name of the one header. */
    public static final String HEADER = "watershed";
    /** Keys of control records start with this; no data key may. */
    public static final EtcdKey CONTROL_PREFIX = EtcdKey.utf8("!watershed/");

    static final EtcdKey META = EtcdKey.utf8("!watershed/meta");
    static final EtcdKey BEGIN = EtcdKey.utf8("!watershed/begin");
    static final EtcdKey END = EtcdKey.utf8("!watershed/end");
    static final EtcdKey PROGRESS = EtcdKey.utf8("!watershed/progress");

    private RecordCodec() {}

    public static EncodedRecord encode(LogRecord record) {
        Entry entry = record.entry();
        HeaderText.Writer header = new HeaderText.Writer()
                .raw("t", type(entry))
                .raw("g", record.generation().toString())
                .put("q", record.sequence())
                .put("r", entry.revision());
        if (entry instanceof Entry.Change change) {
            header.put("i", change.place()).put("n", change.count());
            return object(change.object(), header);
        }
        if (entry instanceof Entry.Snapshot snapshot) {
            return object(snapshot.object(), header);
        }
        byte[] value = ControlValue.of(record).getBytes(UTF_8);
        return new EncodedRecord(controlKey(entry).bytes(), value, header.bytes());
    }

    private static EncodedRecord object(ObjectRecord object, HeaderText.Writer header) {
        if (object.key().startsWith(CONTROL_PREFIX)) {
            throw new IllegalArgumentException("an etcd key must not start with !watershed/: " + object.key());
        }
        KeyVersion version = object.version();
        ObjectValue value = object.value();
        if (version.createRevision() != 0) {
            header.put("c", version.createRevision()).put("v", version.version());
        }
        if (version.lease() != 0) {
            header.put("l", version.lease());
        }
        if (value != null) {
            header.raw("h", String.format("%016x", version.valueHash())).put("f", value.codec());
            header.putText("sv", value.storedVersion());
            Encoding encoding = value.encoding();
            if (encoding != null) {
                header.raw("enc", encoding.header());
            }
        }
        ResourceName resource = object.resource();
        if (resource != null) {
            header.putText("res", resource.resource())
                    .putText("ns", resource.namespace())
                    .putText("name", resource.name());
        }
        return new EncodedRecord(object.key().bytes(), value == null ? null : value.json(), header.bytes());
    }

    private static String type(Entry entry) {
        if (entry instanceof Entry.Change) {
            return "D";
        } else if (entry instanceof Entry.Snapshot) {
            return "S";
        } else if (entry instanceof Entry.Progress) {
            return "P";
        } else if (entry instanceof Entry.RelistBegin) {
            return "B";
        } else if (entry instanceof Entry.RelistEnd) {
            return "E";
        } else if (entry instanceof Entry.Lineage) {
            return "M";
        }
        throw new IllegalStateException("no such entry: " + entry);
    }

    private static EtcdKey controlKey(Entry entry) {
        return switch (type(entry)) {
            case "M" -> META;
            case "B" -> BEGIN;
            case "E" -> END;
            case "P" -> PROGRESS;
            default -> throw new IllegalStateException("not a control record: " + entry);
        };
    }

    /** Reads a record; null arrays are what Kafka hands out for an absent key, value or header. */
    public static LogRecord decode(byte @Nullable [] key, byte @Nullable [] value, byte @Nullable [] header)
            throws LogFailure.Undecodable {
        if (key == null || header == null) {
            throw new LogFailure.Undecodable(
                    "no " + (key == null ? "key" : "header named " + HEADER) + ": not written by an ingester");
        }
        HeaderText.Reader names = new HeaderText.Reader(header);
        Generation generation = generation(names.required("g"));
        long sequence = names.number("q");
        String type = names.required("t");
        Entry entry = switch (type) {
            case "D" -> new Entry.Change(object(key, value, names), place(names.number("i")), place(names.number("n")));
            case "S" -> new Entry.Snapshot(object(key, value, names));
            case "M", "B", "E", "P" -> ControlValue.parse(type, names.number("r"), value);
            default ->
                throw new LogFailure.Undecodable(
                        "record of type t=" + type + ", which this version does not know: upgrade this process");
        };
        return new LogRecord(generation, sequence, entry);
    }

    private static int place(long number) throws LogFailure.Undecodable {
        if (number < 0 || number > Integer.MAX_VALUE) {
            throw new LogFailure.Undecodable("place or count out of range: " + number);
        }
        return (int) number;
    }

    static Generation generation(String text) throws LogFailure.Undecodable {
        try {
            return Generation.parse(text);
        } catch (IllegalArgumentException e) {
            throw new LogFailure.Undecodable("not a generation: " + text, e);
        }
    }

    private static ObjectRecord object(byte[] key, byte @Nullable [] value, HeaderText.Reader names)
            throws LogFailure.Undecodable {
        KeyVersion version = new KeyVersion(
                names.number("c", 0), names.number("r"), names.number("v", 0), names.number("l", 0), names.hex("h", 0));
        String resource = names.text("res");
        ResourceName name =
                resource == null ? null : new ResourceName(resource, names.text("ns"), names.required("name"));
        ObjectValue object = value == null
                ? null
                : new ObjectValue(value, (int) names.number("f"), names.text("sv"), encoding(names.text("enc")));
        return new ObjectRecord(EtcdKey.of(key), version, name, object);
    }

    private static @Nullable Encoding encoding(@Nullable String text) throws LogFailure.Undecodable {
        if (text == null) {
            return null;
        }
        try {
            return Encoding.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new LogFailure.Undecodable(
                    "value with enc=" + text + ", which this version does not know: upgrade this process", e);
        }
    }
}
