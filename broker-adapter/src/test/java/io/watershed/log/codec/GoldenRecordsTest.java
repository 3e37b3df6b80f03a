package io.watershed.log.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.log.EtcdKey;
import io.watershed.log.LogFailure;
import io.watershed.log.LogRecord;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The golden file pins the format byte for byte, one record of each kind. A difference means that topics which are in use can't be
 * read any more, or not by the versions in use: do not change the file, change the code; or raise the number of the format.
 */
class GoldenRecordsTest {
    private static final String FILE = "golden-records.txt";

    @Test
    void fileHoldsOneRecordOfEachKind() throws IOException {
        assertThat(golden().keySet())
                .containsExactlyElementsOf(SampleRecords.all().keySet());
    }

    @TestFactory
    List<DynamicTest> recordsAreWrittenAsPinned() throws IOException {
        Map<String, String> golden = golden();
        List<DynamicTest> tests = new ArrayList<>();
        SampleRecords.all()
                .forEach((name, record) -> tests.add(DynamicTest.dynamicTest(
                        name, () -> assertThat(text(RecordCodec.encode(record))).isEqualTo(golden.get(name)))));
        return tests;
    }

    @TestFactory
    List<DynamicTest> pinnedRecordsAreReadAsWhatTheyWere() {
        List<DynamicTest> tests = new ArrayList<>();
        SampleRecords.all()
                .forEach((name, record) -> tests.add(DynamicTest.dynamicTest(name, () -> {
                    EncodedRecord encoded = RecordCodec.encode(record);
                    assertThat(decoded(encoded)).usingRecursiveComparison().isEqualTo(record);
                })));
        return tests;
    }

    private static LogRecord decoded(EncodedRecord record) throws LogFailure.Undecodable {
        return RecordCodec.decode(record.key(), record.value(), record.header());
    }

    /** Three lines: the key with odd bytes as {@code \xNN}, the header, the value or null. */
    private static String text(EncodedRecord record) {
        byte[] value = record.value();
        return EtcdKey.of(record.key())
                + "\n" + new String(record.header(), US_ASCII)
                + "\n" + (value == null ? "null" : new String(value, UTF_8));
    }

    private static Map<String, String> golden() throws IOException {
        Map<String, String> records = new LinkedHashMap<>();
        try (InputStream file =
                Objects.requireNonNull(GoldenRecordsTest.class.getResourceAsStream(FILE), "no test resource " + FILE)) {
            for (String block : new String(file.readAllBytes(), UTF_8).split("\n\n", -1)) {
                int line = block.indexOf('\n');
                if (block.startsWith("## ")) {
                    records.put(
                            block.substring(3, line), block.substring(line + 1).stripTrailing());
                }
            }
        }
        return records;
    }
}
