package io.watershed.gateway.represent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is here is about paths that nobody should write; the others are in {@link RecordedTablesTest}. */
class JsonPathTest {
    private static final JsonNode OBJECT =
            JsonTree.of("{\"a\":[{\"b\":1,\"c\":\"x\"},{\"b\":2}],\"d\":{\"e.f\":null}}".getBytes(UTF_8));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "$.a",
                "{.a}",
                ".a[",
                ".a[?(",
                ".a[?(@.b==1]",
                ".a[\"b\"]",
                ".a[x]",
                ".a[ 0 ]",
                ".a]",
                ".a b",
                ".a[99999999999]",
                ".a[0:1:-1]",
                ".a,b"
            })
    void refusesWhatIsNoPath(String text) {
        assertThat(JsonPath.parse(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {".a[2147483647]", ".a[-2147483648]", ".a[5:1]", ".a[?(@.b=1)]", ".a[?(@.b==)]", ".a[0:1:0]"})
    void findsNothingWhereAPathMeansNothing(String text) {
        assertThat(first(text) == null).isTrue();
    }

    @Test
    void tellsNullFromNothing() {
        JsonNode found = first(".d.e\\.f");

        assertThat(found != null && found.isNull()).isTrue();
        assertThat(first(".d.g") == null).isTrue();
    }

    @Test
    void staysCalmWhateverTheTextIs() {
        String alphabet = ".[]()?@*'\"\\:,-012ab=!<>{} $";
        Random random = new Random(1);
        for (int i = 0; i < 200_000; i++) {
            StringBuilder text = new StringBuilder(".");
            for (int length = random.nextInt(20); length > 0; length--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            JsonPath path = JsonPath.parse(text.toString());
            if (path != null) {
                path.first(OBJECT);
            }
        }
        assertThat(JsonPath.parse(".a" + "['b".repeat(100_000))).isNull();
        assertThat(JsonPath.parse(".a" + "[?(@.b".repeat(100_000))).isNull();
    }

    private static @Nullable JsonNode first(String text) {
        JsonPath path = JsonPath.parse(text);
        return path == null ? null : path.first(OBJECT);
    }
}
