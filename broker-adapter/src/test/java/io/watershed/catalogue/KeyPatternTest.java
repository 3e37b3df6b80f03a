package io.watershed.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyPatternTest {
    @ParameterizedTest
    @CsvSource({
        "/flags/{name}, /flags/, false",
        "/flags/, /flags/, false",
        "/flags/{namespace}/{name}, /flags/, true",
        "user.{name}, user., false",
        "/{name}, /, false",
        "/a b/, /a b/, false",
    })
    void isAPrefixAndWhatFollowsIt(String text, String prefix, boolean namespaced) {
        KeyPattern pattern = KeyPattern.parse(text);

        assertThat(pattern).isEqualTo(new KeyPattern(prefix, namespaced));
        assertThat(KeyPattern.parse(pattern.text())).isEqualTo(pattern);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{name}",
                "{namespace}/{name}",
                "/a",
                "/a{name}",
                "/a/{namespace}",
                "/a/{namespace}/",
                "/a/{x}/{name}",
                "/{name}/{name}",
                "/{namespace}/b/{name}",
                "/a/{name}/",
                "/é"
            })
    void refusesWhatNamesNoKeysOrTooMany(String text) {
        assertThatThrownBy(() -> KeyPattern.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("must ");
    }

    @Test
    void onlyDocumentsAreDocuments() {
        assertThat(BuiltInResources.KEY_VALUE.isDocument()).isTrue();
        assertThat(BuiltInResources.kubernetes()).noneMatch(ResourceType::isDocument);
        assertThat(BuiltInResources.optional()).noneMatch(ResourceType::isDocument);
    }
}
