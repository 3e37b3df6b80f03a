package io.watershed.ingest.transcode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Values beside what Kubernetes' own code prints for them: {@code kind TAB input TAB output}, made with apimachinery v0.37. */
class GoValuesTest {
    private static final String NONE = "-";

    private static List<String[]> lines(String kind) throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Objects.requireNonNull(GoValuesTest.class.getResourceAsStream("go-values.tsv.gz"))),
                UTF_8))) {
            return lines.lines()
                    .map(line -> line.split("\t", -1))
                    .filter(column -> column[0].equals(kind))
                    .toList();
        }
    }

    private interface Writing {
        void to(JsonBuffer out) throws Undecodable;
    }

    private static String written(Writing writing) {
        JsonBuffer out = new JsonBuffer(1);
        try {
            writing.to(out);
        } catch (Undecodable e) {
            return NONE;
        }
        return new String(out.toByteArray(), UTF_8);
    }

    private static void assertAll(String kind, Function<String, String> ours) throws IOException {
        List<String[]> lines = lines(kind);
        assertThat(lines).hasSizeGreaterThan(50);
        for (String[] line : lines) {
            assertThat(ours.apply(line[1])).as("%s %s", kind, line[1]).isEqualTo(line[2]);
        }
    }

    @Test
    void quantitiesAreCanonical() throws IOException {
        assertAll("quantity", input -> {
            byte[] text = input.getBytes(UTF_8);
            String json = written(out -> {
                if (!Quantities.put(text, 0, text.length, out)) {
                    throw new Undecodable("no quantity");
                }
            });
            return json.equals(NONE) ? NONE : json.substring(1, json.length() - 1);
        });
    }

    @Test
    void floatsHaveGosDigits() throws IOException {
        assertAll(
                "float",
                input -> written(out -> Numbers.put(Double.longBitsToDouble(Long.parseUnsignedLong(input, 16)), out)));
    }

    @Test
    void timesAreShownToTheSecondOrTheMicrosecond() throws IOException {
        assertAll("time", input -> {
            long seconds = Long.parseLong(input.substring(0, input.indexOf(' ')));
            int nanos = Integer.parseInt(input.substring(input.indexOf(' ') + 1));
            return written(out -> Times.put(false, seconds, nanos, false, out)) + " "
                    + written(out -> Times.put(false, seconds, nanos, true, out));
        });
    }

    @Test
    void stringsKeepWhatIsTextAndReplaceWhatIsNot() throws IOException {
        for (String[] line : lines("string")) {
            byte[] text = Base64.getDecoder().decode(line[1]);
            assertThat(Vector.tree(written(out -> out.string(text, 0, text.length))))
                    .as(line[1])
                    .isEqualTo(Vector.tree(line[2]));
        }
    }

    @Test
    void cborIsShownAsItsJson() throws IOException, Undecodable {
        for (String[] line : lines("cbor")) {
            byte[] cbor = Base64.getDecoder().decode(line[1]);
            assertThat(Cbor.is(cbor)).isTrue();
            assertThat(Vector.tree(new String(Cbor.toJson(cbor), UTF_8))).isEqualTo(Vector.tree(line[2]));
        }
    }
}
