package io.watershed.gateway.select;

import static io.watershed.gateway.select.Labelled.labels;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSelectorTest {
    private static final Map<String, Labelled> OBJECTS = Map.of(
            "none", labels(),
            "empty", labels("env", ""),
            "prod", labels("env", "prod"),
            "slash", labels("a.b/c", "1"),
            "five", labels("x", "5"),
            "word", labels("x", "abc"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"\" | none empty prod slash five word",
                "\" \t\r\n\" | none empty prod slash five word",
                "env!=prod | none empty slash five word",
                "env notin (prod) | none empty slash five word",
                "env notin () | none prod slash five word",
                "env notin (prod,) | none slash five word",
                "env in (prod,) | empty prod",
                "env in (,prod) | empty prod",
                "env in () | empty",
                "env in (,) | empty",
                "!env | none slash five word",
                "env | empty prod",
                "env= | empty",
                "env== | empty",
                "env=,x | \"\"",
                "env!= | none prod slash five word",
                "env=prod | prod",
                "env==prod | prod",
                "\" env = prod \" | prod",
                "env in (a),env in (b) | \"\"",
                "env in (prod),env in (prod,dev) | prod",
                "x>1 | five",
                "x<7 | five",
                "x>5 | \"\"",
                "x<5 | \"\"",
                "x>0 | five",
                "x>4,x<6 | five",
                "a.b/c in (1) | slash",
                "a.b/c | slash",
                "in | \"\"",
                "!in | none empty prod slash five word",
                "env in (in,notin,prod) | prod",
                "env=in | \"\"",
                "! env | none slash five word",
                "env,!x | empty prod",
            })
    void selects(String selector, String expected) throws SelectorSyntax {
        LabelSelector parsed = LabelSelector.parse(selector);

        List<String> selected = OBJECTS.entrySet().stream()
                .filter(object -> parsed.matches(object.getValue()))
                .map(Map.Entry::getKey)
                .toList();

        assertThat(selected)
                .containsExactlyInAnyOrderElementsOf(expected.isEmpty() ? List.of() : List.of(expected.split(" ")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a===b | unable to parse requirement: found '=', expected: identifier",
                "a b | unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
                "a=b c | found 'c', expected: ',' or 'end of string'",
                "a in b | unable to parse requirement: found 'b' expected: '('",
                "env in | unable to parse requirement: found '' expected: '('",
                "=a | found '=', expected: !, identifier, or 'end of string'",
                ", | found ',', expected: !, identifier, or 'end of string'",
                "a, | found '', expected: identifier after ','",
                "a,,b | found ',', expected: identifier after ','",
                "! | unable to parse requirement: found '', expected: identifier",
                "!a=b | found '=', expected: ',' or 'end of string'",
                "a in (b | unable to parse requirement: found '', expected: ',', or identifier",
                "a in (b c) | unable to parse requirement: found 'c', expected: ',', or identifier",
                "a>x | unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
                "a> | unable to parse requirement: values[0]: Invalid value: \"\": for 'Gt', 'Lt' operators, the value must be an integer",
                "a>=1 | unable to parse requirement: found '=', expected: identifier",
            })
    void refusesMalformedOnes(String selector, String message) {
        assertThatThrownBy(() -> LabelSelector.parse(selector))
                .isInstanceOf(SelectorSyntax.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-x",
                "x-",
                "é",
                "env=é",
                "a=b/c",
                "a=-b",
                "a/b/c",
                "/a",
                "a/",
                "A/b",
                "a..b/c",
                "a in (b,-c)",
                "a>99999999999999999999",
                "a>١",
                "a\u00a0=b",
                "(a)",
                "a)",
                "a<<1",
                "a>-1",
            })
    void refusesWhatNoLabelCanBe(String selector) {
        assertThatThrownBy(() -> LabelSelector.parse(selector)).isInstanceOf(SelectorSyntax.class);
    }

    @Test
    void bindsLengthsOfKeysAndValues() throws SelectorSyntax {
        String name = "n".repeat(63);
        String prefix = "p".repeat(253);

        assertThat(LabelSelector.parse(prefix + "/" + name + "=" + name).requirements())
                .hasSize(1);
        assertThatThrownBy(() -> LabelSelector.parse("a=" + name + "v")).hasMessageContaining("no more than 63 bytes");
        assertThatThrownBy(() -> LabelSelector.parse(name + "n")).hasMessageContaining("no more than 63 bytes");
        assertThatThrownBy(() -> LabelSelector.parse(prefix + "p/a")).hasMessageContaining("no more than 253 bytes");
    }

    @Test
    void namesTheKeyThatIsNoLabelKey() {
        assertThatThrownBy(() -> LabelSelector.parse("-a=b"))
                .hasMessage(
                        "unable to parse requirement: <nil>: Invalid value: \"-a\": name part must consist of alphanumeric"
                                + " characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or"
                                + " 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')");
    }

    @Test
    void namesTheValueThatIsNoLabelValue() {
        assertThatThrownBy(() -> LabelSelector.parse("a=b/c"))
                .hasMessage(
                        "unable to parse requirement: values[0][a]: Invalid value: \"b/c\": a valid label must be an empty"
                                + " string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
                                + " alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is"
                                + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a=1,b=2 | b=2,a=1",
                "a=1 | a==1",
                "a=1 | a in (1)",
                "a=1 | a=1,a=1",
                "a!=1 | a notin (1)",
                "a in (1,2) | a in (2,1,1)",
                "a in () | a=",
                "!a | ! a",
                "a>1,a<3 | a<3 , a>1",
            })
    void equalSelectorsAreEqualObjects(String one, String other) throws SelectorSyntax {
        assertThat(LabelSelector.parse(one))
                .isEqualTo(LabelSelector.parse(other))
                .hasSameHashCodeAs(LabelSelector.parse(other))
                .hasToString(LabelSelector.parse(other).toString());
    }

    @Test
    void differentSelectorsAreDifferentObjects() throws SelectorSyntax {
        assertThat(LabelSelector.parse("a=1"))
                .isNotEqualTo(LabelSelector.parse("a!=1"))
                .isNotEqualTo(LabelSelector.parse("a"))
                .isNotEqualTo(LabelSelector.parse("a=2"))
                .isNotEqualTo(LabelSelector.ALL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=1,b!=2,!c,d,e>3,f<4,g in (x,y),h notin (x,y),i="})
    void isSpelledSoThatItParsesToItself(String selector) throws SelectorSyntax {
        LabelSelector parsed = LabelSelector.parse(selector);

        assertThat(LabelSelector.parse(parsed.toString())).isEqualTo(parsed);
    }
}
