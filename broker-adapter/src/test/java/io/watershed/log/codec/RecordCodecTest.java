package io.watershed.log.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.watershed.catalogue.KeyPattern;
import io.watershed.catalogue.ResourceType;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordCodecTest {
    private static final byte[] KEY = "/registry/pods/default/web-0".getBytes(UTF_8);
    private static final byte[] VALUE = SampleRecords.pod(9).json();
    private static final String HEADER =
            "t=D g=3-5f0c9a12 q=4 r=9 i=0 n=1 c=5 v=2 h=0000000000000001 f=1 res=pods ns=default name=web-0";
    private static final String PROGRESS = "t=P g=3-5f0c9a12 q=4 r=9";

    @Test
    void whatIsWrittenIsReadAsWhatItWas() throws LogFailure.Undecodable {
        for (long seed = 1; seed <= 1_500; seed++) {
            LogRecord record = new RandomRecords(new Random(seed)).record();

            EncodedRecord encoded = RecordCodec.encode(record);
            LogRecord decoded = RecordCodec.decode(encoded.key(), encoded.value(), encoded.header());

            assertThat(decoded).as("seed %d", seed).usingRecursiveComparison().isEqualTo(record);
        }
    }

    @Test
    void namesThatAreNotKnownAreSkipped() throws LogFailure.Undecodable {
        LogRecord plain = RecordCodec.decode(KEY, VALUE, HEADER.getBytes(UTF_8));
        LogRecord more = RecordCodec.decode(KEY, VALUE, (HEADER + " zz=%41 later=").getBytes(UTF_8));

        assertThat(more).usingRecursiveComparison().isEqualTo(plain);
    }

    @Test
    void membersThatAreNotKnownAreSkipped() throws LogFailure.Undecodable {
        byte[] value = "{\"later\":[1],\"revision\":9,\"head\":9,\"ts\":1}".getBytes(UTF_8);

        assertThat(RecordCodec.decode(RecordCodec.PROGRESS_KEY.bytes(), value, PROGRESS.getBytes(UTF_8))
                        .entry())
                .isEqualTo(new Entry.Progress(9, 9, 1, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"t", "g", "q", "r", "i", "n", "c", "v", "h", "f", "name"})
    void headerWithoutAMandatoryNameIsRefused(String name) {
        String header = HEADER.replaceAll("(^| )" + name + "=[^ ]*", "").stripLeading();

        assertUndecodable(KEY, VALUE, header).withMessageContaining("lacks " + name + "=");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "q=4 | q=-4",
                "q=4 | q=4x",
                "q=4 | q=4 q=5",
                "r=9 | r=99999999999999999999",
                "i=0 | i=1",
                "n=1 | n=0",
                "n=1 | n=4294967297",
                "g=3-5f0c9a12 | g=0-5f0c9a12",
                "g=3-5f0c9a12 | g=3",
                "h=0000000000000001 | h=1",
                "h=0000000000000001 | h=000000000000000x",
                "t=D | t=X",
                "t=D | t=P",
                "ns=default | enc=other",
                "ns=default | ns=%zz",
                "ns=default | ns=%4",
                "ns=default | ns=%FF",
                "ns=default | ns=a=b",
                "ns=default | ns=a  zz=1",
                "ns=default | ns=ö",
                "ns=default | ns",
            })
    void headerThatCannotBeReadIsRefused(String part, String broken) {
        String header = HEADER.replace(part, broken);

        assertThat(header).isNotEqualTo(HEADER);
        assertUndecodable(KEY, VALUE, header);
    }

    @Test
    void recordsOfOtherWritersAreRefused() {
        assertThatExceptionOfType(LogFailure.Undecodable.class)
                .isThrownBy(() -> RecordCodec.decode(KEY, VALUE, null))
                .withMessageContaining("/registry/pods/default/web-0")
                .withMessageContaining("something else wrote to this topic")
                .withMessageContaining("ACLs")
                .withMessageContaining("kafka.topic.name");
        assertThatExceptionOfType(LogFailure.Undecodable.class)
                .isThrownBy(() -> RecordCodec.decode(null, VALUE, HEADER.getBytes(UTF_8)))
                .withMessageContaining("without a key")
                .withMessageContaining("kafka.topic.name");
    }

    @Test
    void valueWithoutTheFixedBeginningIsRefused() {
        byte[] other = "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}".getBytes(UTF_8);

        assertUndecodable(KEY, other, HEADER).withMessageContaining("does not begin with kind");
    }

    @Test
    void valueOfAnotherRevisionIsRefused() {
        assertUndecodable(KEY, SampleRecords.pod(8).json(), HEADER).withMessageContaining("r=9");
    }

    @Test
    void newerCodecIsRefusedWithTheRemedy() {
        assertUndecodable(KEY, VALUE, HEADER.replace("f=1", "f=" + (RecordCodec.NEWEST_CODEC + 1)))
                .withMessageContaining("upgrade");
    }

    @Test
    void newerFormatIsRefusedWithTheRemedy() {
        byte[] value = new String(
                        RecordCodec.encode(SampleRecords.get("lineage of the first leader"))
                                .value(),
                        UTF_8)
                .replace("\"format\":1", "\"format\":2")
                .getBytes(UTF_8);

        assertUndecodable(RecordCodec.LINEAGE_KEY.bytes(), value, "t=M g=3-5f0c9a12 q=1 r=0")
                .withMessageContaining("format 2")
                .withMessageContaining("upgrade");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{\"revision\":9,\"head\":9,\"ts\":1} {}",
                "{\"revision\":9,\"head\":9,\"ts\":1",
                "{\"revision\":8,\"head\":9,\"ts\":1}",
                "{\"revision\":9,\"head\":\"9\",\"ts\":1}",
                "{\"revision\":9,\"head\":9}",
                "{\"revision\":9,\"head\":9.5,\"ts\":1}",
                "{\"revision\":9,\"head\":99999999999999999999,\"ts\":1}",
                "{\"revision\":9,\"head\":9,\"ts\":1,\"address\":7}",
            })
    void controlValueThatCannotBeReadIsRefused(String value) {
        assertUndecodable(RecordCodec.PROGRESS_KEY.bytes(), value.getBytes(UTF_8), PROGRESS);
    }

    @Test
    void controlKeysAndTypesBelongTogether() {
        byte[] value = "{\"revision\":9,\"head\":9,\"ts\":1}".getBytes(UTF_8);

        assertUndecodable(RecordCodec.RELIST_END_KEY.bytes(), value, PROGRESS)
                .withMessageContaining("!watershed/progress");
        assertUndecodable(RecordCodec.PROGRESS_KEY.bytes(), null, PROGRESS).withMessageContaining("value");
        assertUndecodable("!watershed/other".getBytes(UTF_8), VALUE, HEADER).withMessageContaining("reserved");
    }

    @Test
    void reservedKeysAreNeverWritten() {
        EtcdKey key = EtcdKey.utf8("!watershed/x");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordCodec.encode(change(key, new KeyVersion(1, 9, 1, 0, 1), SampleRecords.pod(9))))
                .withMessageContaining("!watershed/x");
    }

    @Test
    void contradictionsAreNeverWritten() {
        EtcdKey key = EtcdKey.utf8("/k");
        KeyVersion version = new KeyVersion(5, 9, 2, 0, 1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordCodec.encode(change(key, version, SampleRecords.pod(8))));
        assertThatIllegalArgumentException().isThrownBy(() -> RecordCodec.encode(change(key, version, null)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordCodec.encode(new LogRecord(
                        SampleRecords.THIRD,
                        1,
                        new Entry.Snapshot(new ObjectRecord(key, new KeyVersion(5, 9, 2, 0, 0), null, null)))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordCodec.encode(
                        change(key, version, SampleRecords.pod(9), new ResourceName("pods", null, "\ud800"))));
    }

    @Test
    void sizeIsThatOfKeyValueAndHeader() {
        EncodedRecord record = RecordCodec.encode(SampleRecords.get("change"));

        assertThat(record.size())
                .isEqualTo(record.key().length
                        + SampleRecords.pod(31655).json().length
                        + record.header().length
                        + "watershed".length());
    }

    private static LogRecord change(EtcdKey key, KeyVersion version, @Nullable ObjectValue value) {
        return change(key, version, value, new ResourceName("pods", "default", "web-0"));
    }

    private static LogRecord change(
            EtcdKey key, KeyVersion version, @Nullable ObjectValue value, ResourceName resource) {
        return new LogRecord(
                SampleRecords.THIRD, 1, new Entry.Change(new ObjectRecord(key, version, resource, value), 0, 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[1]",
                "[{\"prefix\":\"/a/{name}\",\"group\":\"g\",\"version\":\"v1\",\"plural\":\"p\"}]",
                "[{\"prefix\":\"{name}/a\",\"group\":\"g\",\"version\":\"v1\",\"plural\":\"p\",\"kind\":\"K\"}]",
            })
    void configuredDocumentsThatCantBeReadAreNotPassedOver(String documents) {
        String value = "{\"revision\":7,\"count\":1,\"hash\":\"0a0b0c0d0e0f1011\",\"fingerprint\":\"f\",\"documents\":"
                + documents + "}";

        assertUndecodable(RecordCodec.RELIST_END_KEY.bytes(), value.getBytes(UTF_8), "t=E g=3-5f0c9a12 q=1 r=7");
    }

    private static org.assertj.core.api.ThrowableAssertAlternative<LogFailure.Undecodable> assertUndecodable(
            byte[] key, byte @Nullable [] value, String header) {
        return assertThatExceptionOfType(LogFailure.Undecodable.class)
                .isThrownBy(() -> RecordCodec.decode(key, value, header.getBytes(UTF_8)))
                .withMessageContaining(EtcdKey.of(key).toString());
    }

    /** Records with all that the format can carry. */
    private static final class RandomRecords {
        private static final List<Encoding> ENCODINGS = List.of(Encoding.values());
        private final Random random;

        RandomRecords(Random random) {
            this.random = random;
        }

        LogRecord record() {
            Generation generation = new Generation(1 + random.nextInt(9), String.format("%08x", random.nextInt()));
            return new LogRecord(generation, number(), entry());
        }

        private Entry entry() {
            return switch (random.nextInt(6)) {
                case 0 -> new Entry.Progress(number(), number(), number(), maybe(text()));
                case 1 -> new Entry.RelistBegin(number(), text());
                case 2 -> new Entry.RelistEnd(number(), number(), random.nextLong(), text(), documents());
                case 3 -> lineage();
                case 4 -> new Entry.Snapshot(object(false));
                default -> {
                    int count = 1 + random.nextInt(1_000_000);
                    yield new Entry.Change(object(true), random.nextInt(count), count);
                }
            };
        }

        private List<ResourceType> documents() {
            List<ResourceType> documents = new ArrayList<>();
            for (int i = random.nextInt(3); i > 0; i--) {
                KeyPattern keys = new KeyPattern("/" + text().replaceAll("[{}]", "") + "/", random.nextBoolean());
                documents.add(ResourceType.document(text(), text(), text(), text(), keys));
            }
            return documents;
        }

        private Entry lineage() {
            List<String> ranges = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                ranges.add(text());
            }
            Generation previous = maybe(new Generation(1 + random.nextInt(9), "0123abcd"));
            return new Entry.Lineage(
                    number(), 1, previous, text(), number(), text(), ranges, text(), text(), maybe(text()));
        }

        private ObjectRecord object(boolean change) {
            long revision = number();
            boolean live = random.nextInt(3) > 0;
            boolean versioned = change || live;
            KeyVersion version = new KeyVersion(
                    versioned ? number() : 0,
                    revision,
                    versioned ? number() : 0,
                    random.nextBoolean() ? random.nextLong() : 0,
                    live ? random.nextLong() : 0);
            ResourceName resource = maybe(new ResourceName(text(), maybe(text()), text()));
            return new ObjectRecord(EtcdKey.of(key()), version, resource, live ? value(revision) : null);
        }

        private ObjectValue value(long revision) {
            String json = ObjectJson.prefix(text(), text(), revision) + (random.nextBoolean() ? "}}" : ",\"a\":1}}");
            Encoding encoding = maybe(ENCODINGS.get(random.nextInt(ENCODINGS.size())));
            return new ObjectValue(json.getBytes(UTF_8), random.nextInt(2), maybe(text()), encoding);
        }

        private byte[] key() {
            byte[] key = new byte[random.nextInt(20)];
            random.nextBytes(key);
            return key;
        }

        private long number() {
            return random.nextLong() >>> (1 + random.nextInt(62));
        }

        private String text() {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(12); i > 0; i--) {
                int c = random.nextInt(random.nextBoolean() ? 128 : Character.MAX_CODE_POINT + 1);
                text.appendCodePoint(c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? ' ' : c);
            }
            return text.toString();
        }

        private <T> @Nullable T maybe(T value) {
            return random.nextBoolean() ? value : null;
        }
    }
}
