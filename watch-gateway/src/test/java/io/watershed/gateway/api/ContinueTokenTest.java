package io.watershed.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContinueTokenTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/default/web-1",
                "/..",
                "/default/..",
                "/../a",
                "/a/./b",
                "/%2Fflags%2F..",
                "/a//b",
                "/a/",
                "/a\0"
            })
    void takesBackWhateverItHandsOut(String after) throws Exception {
        ContinueToken token = new ContinueToken(700, after);

        assertThat(ContinueToken.parse(token.text())).isEqualTo(token);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "a", "..", "../a"})
    void refusesWhatDoesNotLieBelowTheList(String after) {
        assertThatThrownBy(() -> ContinueToken.parse(new ContinueToken(700, after).text()))
                .isInstanceOf(ApiFailure.class);
    }
}
