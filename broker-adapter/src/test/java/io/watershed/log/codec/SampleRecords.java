package io.watershed.log.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.catalogue.KeyPattern;
import io.watershed.catalogue.ResourceType;
import io.watershed.log.Encoding;
import io.watershed.log.Entry;
import io.watershed.log.EtcdKey;
import io.watershed.log.Generation;
import io.watershed.log.KeyVersion;
import io.watershed.log.LogRecord;
import io.watershed.log.ObjectRecord;
import io.watershed.log.ObjectValue;
import io.watershed.log.ResourceName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One record of each kind that the golden file pins, by the name that it has there. */
final class SampleRecords {
    static final Generation THIRD = new Generation(3, "5f0c9a12");
    private static final long HASH = 0x91c0d3a4e2b75f68L;
    private static final EtcdKey WEB = EtcdKey.utf8("/registry/pods/default/web-0");
    private static final ResourceName WEB_NAME = new ResourceName("pods", "default", "web-0");

    private SampleRecords() {}

    static Map<String, LogRecord> all() {
        Map<String, LogRecord> records = new LinkedHashMap<>();
        changes(records);
        stubs(records);
        relist(records);
        control(records);
        return records;
    }

    static LogRecord get(String name) {
        return Objects.requireNonNull(all().get(name), name);
    }

    private static void changes(Map<String, LogRecord> records) {
        add(records, "change", change(WEB, new KeyVersion(31000, 31655, 7, 0, HASH), WEB_NAME, pod(31655), 0, 2));
        add(
                records,
                "change with a lease",
                change(WEB, new KeyVersion(5, 9, 2, 7587869545L, 0xfL), WEB_NAME, pod(9), 1, 2));
        add(records, "delete", change(WEB, new KeyVersion(31000, 31700, 8, 0, 0), WEB_NAME, null, 0, 1));
        add(
                records,
                "change stored in another version",
                change(
                        EtcdKey.utf8("/registry/controllerrevisions/default/web-1"),
                        new KeyVersion(40, 40, 1, 0, -1L),
                        new ResourceName("controllerrevisions.apps", "default", "web-1"),
                        new ObjectValue(
                                json(
                                        "ControllerRevision",
                                        "apps/v1",
                                        40,
                                        ",\"name\":\"web-1\"},\"revision\":9007199254740993}"),
                                1,
                                "apps/v1beta1",
                                null),
                        0,
                        1));
        add(
                records,
                "key value with odd bytes",
                change(
                        EtcdKey.of(new byte[] {'/', 0, ' ', '=', '%', (byte) 0xff, '\n'}),
                        new KeyVersion(3, 3, 1, 0, 1),
                        new ResourceName("keyvalues.watershed.io", null, "%2F%00%20=%25%FF%0A"),
                        value(
                                "KeyValue",
                                "watershed.io/v1",
                                3,
                                ",\"name\":\"x\"},\"spec\":{\"valueBase64\":\"/w==\"}}"),
                        0,
                        1));
        add(
                records,
                "unicode",
                change(
                        EtcdKey.utf8("/flags/größe/日本-🌊"),
                        new KeyVersion(4, 8, 5, 0, 2),
                        new ResourceName("flags.flags.example.com", "größe", "日本-🌊"),
                        value("Flag", "flags.example.com/v1", 8, ",\"name\":\"日本-🌊\"},\"on\":true}"),
                        0,
                        1));
        add(
                records,
                "no resource",
                change(
                        EtcdKey.utf8("compact_rev_key"),
                        new KeyVersion(2, 11, 3, 0, 3),
                        null,
                        value("KeyValue", "watershed.io/v1", 11, "},\"spec\":{\"value\":\"\"}}"),
                        0,
                        1));
    }

    private static void stubs(Map<String, LogRecord> records) {
        stub(records, Encoding.RAW, "},\"watershed\":{\"enc\":\"raw\",\"valueBase64\":\"3q2+7w==\"}}");
        stub(records, Encoding.ENCRYPTED, "},\"watershed\":{\"enc\":\"encrypted\",\"valueBase64\":\"azhzOmVuYzo=\"}}");
        stub(records, Encoding.VERSION, "},\"watershed\":{\"enc\":\"version\",\"storedVersion\":\"v9\"}}");
        stub(records, Encoding.OVERSIZE, "},\"watershed\":{\"enc\":\"oversize\",\"bytes\":1400000}}");
        stub(records, Encoding.PARTIAL, ",\"name\":\"web-0\"},\"spec\":{}}");
    }

    private static void stub(Map<String, LogRecord> records, Encoding encoding, String rest) {
        ObjectValue value = new ObjectValue(json("Pod", "v1", 77, rest), 1, null, encoding);
        add(
                records,
                "value " + encoding.header(),
                change(WEB, new KeyVersion(70, 77, 4, 0, HASH), WEB_NAME, value, 0, 1));
    }

    private static void relist(Map<String, LogRecord> records) {
        add(
                records,
                "relist snapshot",
                new Entry.Snapshot(
                        new ObjectRecord(WEB, new KeyVersion(31000, 31655, 7, 0, HASH), WEB_NAME, pod(31655))));
        add(
                records,
                "relist tombstone",
                new Entry.Snapshot(new ObjectRecord(WEB, new KeyVersion(0, 40000, 0, 0, 0), WEB_NAME, null)));
        add(records, "relist begins", new Entry.RelistBegin(31655, "compacted"));
        add(records, "relist ends", new Entry.RelistEnd(40000, 12, 0x0a0b0c0d0e0f1011L, "5d41402abc4b2a76"));
    }

    private static void control(Map<String, LogRecord> records) {
        Generation previous = new Generation(2, "0badcafe");
        List<String> ranges = List.of("/registry/", "/flags/\"ö\"");
        add(
                records,
                "lineage of a new generation",
                new Entry.Lineage(
                        31655,
                        1,
                        previous,
                        "cdf818194e3a8c32",
                        31655,
                        "generation",
                        ranges,
                        "5d41402abc4b2a76",
                        "ingester-0",
                        "http://10.0.0.7:8090"));
        add(
                records,
                "lineage of the first leader",
                new Entry.Lineage(
                        0,
                        1,
                        null,
                        "cdf818194e3a8c32",
                        0,
                        "first",
                        List.of(""),
                        "5d41402abc4b2a76",
                        "ingester-0",
                        null));
        add(records, "progress", new Entry.Progress(31700, 31702, 1796083200123L, "http://10.0.0.7:8090"));
        add(records, "progress without an address", new Entry.Progress(31700, 31700, 1796083200123L, null));
        add(
                records,
                "relist ends with configured documents",
                new Entry.RelistEnd(
                        40000,
                        12,
                        0x0a0b0c0d0e0f1011L,
                        "5d41402abc4b2a76",
                        List.of(ResourceType.document(
                                "flags.example.com",
                                "v1",
                                "Flag",
                                "flags",
                                KeyPattern.parse("/flags/{namespace}/{name}")))));
    }

    private static void add(Map<String, LogRecord> records, String name, Entry entry) {
        records.put(name, new LogRecord(THIRD, 90211 + records.size(), entry));
    }

    private static Entry change(
            EtcdKey key,
            KeyVersion version,
            @Nullable ResourceName name,
            @Nullable ObjectValue value,
            int place,
            int count) {
        return new Entry.Change(new ObjectRecord(key, version, name, value), place, count);
    }

    static ObjectValue pod(long revision) {
        return value("Pod", "v1", revision, ",\"name\":\"web-0\",\"namespace\":\"default\"},\"spec\":{\"n\":1.10}}");
    }

    private static ObjectValue value(String kind, String apiVersion, long revision, String rest) {
        return new ObjectValue(json(kind, apiVersion, revision, rest), 1, null, null);
    }

    private static byte[] json(String kind, String apiVersion, long revision, String rest) {
        return (ObjectJson.prefix(kind, apiVersion, revision) + rest).getBytes(UTF_8);
    }
}
