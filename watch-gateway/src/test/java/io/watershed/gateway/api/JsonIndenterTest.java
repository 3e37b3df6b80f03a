package io.watershed.gateway.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;

class JsonIndenterTest {
    private static final String COMPACT = "{\"a\":[1,{},[],\"x:{\\\"},\\\\\"],\"b\":{\"c\":null}}";
    private static final String INDENTED = """
            {
              "a": [
                1,
                {},
                [],
                "x:{\\"},\\\\"
              ],
              "b": {
                "c": null
              }
            }""";

    @Test
    void indents() {
        assertThat(new String(JsonIndenter.indented((COMPACT + "\n").getBytes(UTF_8)), UTF_8))
                .isEqualTo(INDENTED);
    }

    @Test
    void indentsWhatComesInPieces() {
        byte[] json = COMPACT.getBytes(UTF_8);
        JsonIndenter indenter = new JsonIndenter();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < json.length; i++) {
            indenter.write(json, i, 1, out);
        }

        assertThat(out.toString(UTF_8)).isEqualTo(INDENTED);
    }

    @Test
    void doesNotBlowUpWhatIsNestedDeep() {
        byte[] deep = ("[".repeat(100_000) + "]".repeat(100_000)).getBytes(UTF_8);

        assertThat(JsonIndenter.indented(deep)).hasSizeLessThan(250 * deep.length);
    }
}
