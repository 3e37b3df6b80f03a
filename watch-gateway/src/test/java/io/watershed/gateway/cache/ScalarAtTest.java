package io.watershed.gateway.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScalarAtTest {
    private static final String OBJECT =
            "{\"kind\":\"Flag\",\"skipped\":{\"enabled\":0,\"x\":[1,{\"y\":2}]},\"enabled\":true,\"rollout\":{\"percent\":1.50,"
                    + "\"by\":\"\\u00e9\\\"\",\"none\":null,\"empty\":\"\"},\"list\":[\"a\"],\"id\":9007199254740993}";

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            emptyValue = "",
            value = {
                ".enabled, true",
                ".rollout.percent, 1.50",
                ".rollout.by, é\"",
                ".id, 9007199254740993",
                ".rollout.empty, ''",
                ".rollout.none, -",
                ".rollout, -",
                ".rollout.percent.more, -",
                ".list, -",
                ".list.a, -",
                ".absent, -",
                ".skipped.x.y, -",
            })
    void isTheScalarAsJsonSpellsItAndNothingElse(String path, @Nullable String value) {
        assertThat(ScalarAt.path(OBJECT.getBytes(UTF_8), path)).isEqualTo(value);
    }
}
