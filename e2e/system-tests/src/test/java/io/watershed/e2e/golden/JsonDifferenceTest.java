package io.watershed.e2e.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonDifferenceTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":1}    | {\"a\":1.0}",
                "{\"a\":1.10} | {\"a\":1.1}",
                "{\"a\":1e3}  | {\"a\":1000}",
                "{\"a\":1e3}  | {\"a\":1E3}",
                "{\"a\":0}    | {\"a\":-0}",
                "{\"a\":9007199254740993} | {\"a\":9007199254740992}",
                "{\"a\":1}    | {\"a\":\"1\"}",
                "{\"a\":true} | {\"a\":\"true\"}",
                "{\"a\":null} | {}",
                "{}           | {\"a\":null}",
                "{\"a\":\"\"} | {\"a\":null}",
                "{\"a\":[]}   | {\"a\":{}}",
                "{\"a\":[1,2]} | {\"a\":[2,1]}",
                "{\"a\":[1]}  | {\"a\":[1,1]}",
                "{\"a\":\"x\"} | {\"a\":\"x \"}",
                "{\"a\":{\"b\":[{\"c\":1}]}} | {\"a\":{\"b\":[{\"c\":2}]}}",
            })
    void seesWhatAClientCouldSee(String want, String got) throws UnreadableAnswerException {
        assertThat(differences(want, got)).isNotEmpty();
    }

    @Test
    void membersMayComeInAnyOrderAndTextsInAnyEscape() throws UnreadableAnswerException {
        assertThat(differences("{\"a\":1,\"b\":\"<\"}", "{ \"b\": \"\\u003c\", \"a\": 1 }"))
                .isEmpty();
    }

    @Test
    void namesThePlaceAndBothValues() throws UnreadableAnswerException {
        assertThat(differences("{\"a\":[{\"b\":1.0}]}", "{\"a\":[{\"b\":1.5,\"c\":true}]}"))
                .containsExactly(".a[0].b: 1.0 / 1.5", ".a[0].c: missing / true");
        assertThat(differences("{\"a\":[1.0]}", "{}")).containsExactly(".a: [1.0] / missing");
    }

    @Test
    void stopsAfterTheFirstPlaces() throws UnreadableAnswerException {
        assertThat(differences("[1,1,1,1,1,1,1,1]", "[2,2,2,2,2,2,2,2]")).hasSize(6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{}{}", "{} x", "NaN", "{'a':1}", "[1,]"})
    void whatIsNoJsonIsUnreadable(String text) {
        assertThatThrownBy(() -> ExactJson.parse(text)).isInstanceOf(UnreadableAnswerException.class);
    }

    @Test
    void bytesThatAreNoUtf8DontPassForAReplacementCharacter() {
        assertThat(AnswerText.of(new byte[] {'a', (byte) 0xC3, (byte) 0xA4, 'b'}))
                .isEqualTo("a\u00e4b");
        assertThat(AnswerText.of(new byte[] {'a', (byte) 0xFF, 'b', (byte) 0xC3}))
                .isEqualTo("a\uDCFFb\uDCC3");
    }

    private static List<String> differences(String want, String got) throws UnreadableAnswerException {
        return JsonDifference.of("", ExactJson.parse(want), ExactJson.parse(got));
    }
}
