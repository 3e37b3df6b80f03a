package io.watershed.log.codec;

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
import io.watershed.log.codec.HeaderFields.Name;
import org.jspecify.annotations.Nullable;

/**
 * Records as bytes and back: docs/log.md, "Records". A data record's key is etcd's key, its value the object or null; the other four
 * types have one reserved key each. The one header says all the rest.
 *
 * <p><em>Threads:</em> stateless. <em>Errors:</em> encoding an entry that contradicts itself is the caller's mistake, an
 * {@link IllegalArgumentException}; decoding what is not of this format is {@link LogFailure.Undecodable}, and never skipped.
 */
public final class RecordCodec {
    /** Number of the record format, written into M. A reader refuses a newer one. */
    public static final int FORMAT = 1;

    /** The newest {@code f=} whose values this version can serve. A reader refuses a newer one. */
    public static final int NEWEST_CODEC = 2;

    /** Name of the one header. */
    public static final String HEADER = "watershed";

    /** Keys of control records start with this. No key of etcd that does gets into the log. */
    public static final EtcdKey CONTROL_PREFIX = EtcdKey.utf8("!watershed/");

    static final EtcdKey LINEAGE_KEY = EtcdKey.utf8("!watershed/meta");
    static final EtcdKey RELIST_BEGIN_KEY = EtcdKey.utf8("!watershed/begin");
    static final EtcdKey RELIST_END_KEY = EtcdKey.utf8("!watershed/end");
    static final EtcdKey PROGRESS_KEY = EtcdKey.utf8("!watershed/progress");

    private static final String FOREIGN =
            ": something else wrote to this topic. Only the ingester may: let Kafka's ACLs grant Write on"
                    + " the topic to it alone. The record can't be taken out again: give the ingester and the gateways a new topic"
                    + " (kafka.topic.name), which the ingester fills from etcd";

    private RecordCodec() {}

    public static EncodedRecord encode(LogRecord record) {
        Entry entry = record.entry();
        HeaderWriter header = new HeaderWriter();
        header.add("t", type(entry));
        header.add("g", record.generation().toString());
        header.add("q", record.sequence());
        header.add("r", entry.revision());
        if (entry instanceof Entry.Change change) {
            requireChange(change);
            header.add("i", change.place());
            header.add("n", change.count());
            return encode(change.object(), true, header);
        }
        if (entry instanceof Entry.Snapshot snapshot) {
            return encode(snapshot.object(), false, header);
        }
        return new EncodedRecord(controlKey(entry).bytes(), controlValue(entry, record.generation()), header.bytes());
    }

    private static EncodedRecord encode(ObjectRecord object, boolean change, HeaderWriter header) {
        byte[] key = object.key().bytes();
        if (object.key().startsWith(CONTROL_PREFIX)) {
            throw new IllegalArgumentException("key " + object.key() + " is reserved for the log's own records");
        }
        KeyVersion version = object.version();
        ObjectValue value = object.value();
        if (value != null) {
            ObjectJson.require(value.json(), version.modRevision());
        } else {
            requireTombstone(object, change);
        }
        if (change || value != null) {
            header.add("c", version.createRevision());
            header.add("v", version.version());
        }
        if (version.lease() != 0) {
            header.add("l", version.lease());
        }
        if (value != null) {
            header.addHex("h", version.valueHash());
            header.add("f", value.codec());
            addIfPresent(header, "sv", value.storedVersion());
            addIfPresent(
                    header,
                    "enc",
                    value.encoding() == null ? null : value.encoding().header());
        }
        ResourceName resource = object.resource();
        if (resource != null) {
            header.add("res", resource.resource());
            addIfPresent(header, "ns", resource.namespace());
            header.add("name", resource.name());
        }
        return new EncodedRecord(key, value == null ? null : value.json(), header.bytes());
    }

    private static void requireChange(Entry.Change change) {
        if (change.place() < 0 || change.place() >= change.count()) {
            throw new IllegalArgumentException("place " + change.place() + " of " + change.count() + " in revision "
                    + change.revision() + ", key " + change.object().key());
        }
    }

    private static void requireTombstone(ObjectRecord object, boolean change) {
        KeyVersion version = object.version();
        boolean knowsVersion = version.createRevision() != 0 || version.version() != 0;
        if (version.valueHash() != 0 || (!change && knowsVersion)) {
            throw new IllegalArgumentException("a tombstone with more than it has: " + object.key() + " " + version);
        }
    }

    private static void addIfPresent(HeaderWriter header, String name, @Nullable String value) {
        if (value != null) {
            header.add(name, value);
        }
    }

    private static String type(Entry entry) {
        if (entry instanceof Entry.Change) {
            return "D";
        }
        if (entry instanceof Entry.Snapshot) {
            return "S";
        }
        if (entry instanceof Entry.Lineage) {
            return "M";
        }
        if (entry instanceof Entry.RelistBegin) {
            return "B";
        }
        return entry instanceof Entry.RelistEnd ? "E" : "P";
    }

    private static EtcdKey controlKey(Entry entry) {
        if (entry instanceof Entry.Lineage) {
            return LINEAGE_KEY;
        }
        if (entry instanceof Entry.RelistBegin) {
            return RELIST_BEGIN_KEY;
        }
        return entry instanceof Entry.RelistEnd ? RELIST_END_KEY : PROGRESS_KEY;
    }

    private static byte[] controlValue(Entry entry, Generation generation) {
        if (entry instanceof Entry.Lineage lineage) {
            return ControlValues.write(lineage, generation);
        }
        if (entry instanceof Entry.RelistBegin begin) {
            return ControlValues.write(begin);
        }
        if (entry instanceof Entry.RelistEnd end) {
            return ControlValues.write(end);
        }
        return ControlValues.write((Entry.Progress) entry);
    }

    /**
     * @param header the bytes of the header {@link #HEADER}, null if the record has none
     * @throws LogFailure.Undecodable naming the key and what is wrong; the caller knows the offset
     */
    public static LogRecord decode(byte @Nullable [] key, byte @Nullable [] value, byte @Nullable [] header)
            throws LogFailure.Undecodable {
        if (key == null) {
            throw new LogFailure.Undecodable("a record without a key" + FOREIGN);
        }
        if (header == null) {
            throw new LogFailure.Undecodable(
                    "the record of key " + EtcdKey.of(key) + " has no header named " + HEADER + FOREIGN);
        }
        try {
            return decode(EtcdKey.of(key), value, new HeaderFields(header));
        } catch (LogFailure.Undecodable | IllegalArgumentException e) {
            throw new LogFailure.Undecodable(
                    "the record of key " + EtcdKey.of(key) + " can't be read: " + e.getMessage(), e);
        }
    }

    private static LogRecord decode(EtcdKey key, byte @Nullable [] value, HeaderFields header)
            throws LogFailure.Undecodable {
        Generation generation = ControlValues.generation(header.raw(Name.G));
        long sequence = header.number(Name.Q);
        String type = header.raw(Name.T);
        Entry entry = switch (type) {
            case "D" -> change(key, value, header);
            case "S" -> new Entry.Snapshot(object(key, value, header, false));
            default -> control(type, key, value, header.number(Name.R), generation);
        };
        return new LogRecord(generation, sequence, entry);
    }

    private static Entry change(EtcdKey key, byte @Nullable [] value, HeaderFields header)
            throws LogFailure.Undecodable {
        int place = header.smallNumber(Name.I);
        int count = header.smallNumber(Name.N);
        if (place >= count) {
            throw new LogFailure.Undecodable("header has i=" + place + " with n=" + count);
        }
        return new Entry.Change(object(key, value, header, true), place, count);
    }

    private static Entry control(
            String type, EtcdKey key, byte @Nullable [] value, long revision, Generation generation)
            throws LogFailure.Undecodable {
        EtcdKey expected = switch (type) {
            case "M" -> LINEAGE_KEY;
            case "B" -> RELIST_BEGIN_KEY;
            case "E" -> RELIST_END_KEY;
            case "P" -> PROGRESS_KEY;
            default -> throw new LogFailure.Undecodable("header has an unknown t=" + type);
        };
        if (!key.equals(expected)) {
            throw new LogFailure.Undecodable("a record with t=" + type + " has the key " + expected);
        }
        if (value == null) {
            throw new LogFailure.Undecodable("a record with t=" + type + " has a value");
        }
        return switch (type) {
            case "M" -> ControlValues.lineage(value, revision, generation);
            case "B" -> ControlValues.relistBegin(value, revision);
            case "E" -> ControlValues.relistEnd(value, revision);
            default -> ControlValues.progress(value, revision);
        };
    }

    private static ObjectRecord object(EtcdKey key, byte @Nullable [] value, HeaderFields header, boolean change)
            throws LogFailure.Undecodable {
        if (key.startsWith(CONTROL_PREFIX)) {
            throw new LogFailure.Undecodable("a reserved key in a record with t=" + header.raw(Name.T));
        }
        boolean versioned = change || value != null;
        KeyVersion version = new KeyVersion(
                versioned ? header.number(Name.C) : 0,
                header.number(Name.R),
                versioned ? header.number(Name.V) : 0,
                header.has(Name.L) ? header.signed(Name.L) : 0,
                value != null ? header.hex(Name.H) : 0);
        return new ObjectRecord(key, version, resource(header), value(value, version.modRevision(), header));
    }

    private static @Nullable ResourceName resource(HeaderFields header) throws LogFailure.Undecodable {
        if (!header.has(Name.RES)) {
            return null;
        }
        return new ResourceName(header.text(Name.RES), header.textOrNull(Name.NS), header.text(Name.NAME));
    }

    private static @Nullable ObjectValue value(byte @Nullable [] json, long revision, HeaderFields header)
            throws LogFailure.Undecodable {
        if (json == null) {
            return null;
        }
        int codec = header.smallNumber(Name.F);
        if (codec > NEWEST_CODEC) {
            throw new LogFailure.Undecodable("its value was made by codec f=" + codec + ", this version reads up to "
                    + NEWEST_CODEC + ": upgrade gateways before ingesters");
        }
        ObjectJson.require(json, revision);
        return new ObjectValue(json, codec, header.textOrNull(Name.SV), encoding(header));
    }

    private static @Nullable Encoding encoding(HeaderFields header) throws LogFailure.Undecodable {
        if (!header.has(Name.ENC)) {
            return null;
        }
        String text = header.raw(Name.ENC);
        for (Encoding encoding : ENCODINGS) {
            if (encoding.header().equals(text)) {
                return encoding;
            }
        }
        throw HeaderFields.unreadable(Name.ENC, text, null);
    }

    private static final Encoding[] ENCODINGS = Encoding.values();
}
