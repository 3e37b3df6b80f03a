package io.watershed.ingest.transcode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CborTest {
    private static String json(String hex) throws Undecodable {
        return new String(Cbor.toJson(HexFormat.of().parseHex(hex)), UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "d9d9f7a0 | {}",
                "a1416101 | {\"a\":1}",
                "a16161820203 | {\"a\":[2,3]}",
                "1bffffffffffffff7f | -",
                "1b7fffffffffffffff | 9223372036854775807",
                "3b7fffffffffffffff | -9223372036854775808",
                "3b8000000000000000 | -",
                "f93c00 | 1",
                "f98000 | -0",
                "f90001 | 5.960464477539063e-8",
                "fa47c35000 | 100000",
                "fb3ff199999999999a | 1.1",
                "d643010203 | \"AQID\"",
                "d74201ff | \"01ff\"",
                "d543ffeffe | \"_-_-\"",
                "5f426162416cff | \"abl\"",
                "9f01ff | [1]",
                "bf416101ff | {\"a\":1}",
                "f4 | false",
                "f5 | true",
                "f6 | null",
                "c074323031332d30332d32315432303a30343a30305a | \"2013-03-21T20:04:00Z\"",
            })
    void valuesAreShownAsKubernetesReadsThem(String hex, String expected) throws Undecodable {
        if (expected.equals("-")) {
            assertThatThrownBy(() -> json(hex)).isInstanceOf(Undecodable.class);
        } else {
            assertThat(json(hex)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a1",
                "a2416101416102",
                "a10101",
                "f97e00",
                "f97c00",
                "f7",
                "f818",
                "c249010000000000000000",
                "c11a514b67b0",
                "61ff",
                "1c",
                "5f01ff",
                "0000",
                "9bffffffffffffffff",
                "5bffffffffffffffff",
                "ff",
            })
    void whatJsonOrKubernetesCanNotHoldIsRefused(String hex) {
        assertThatThrownBy(() -> json(hex)).isInstanceOf(Undecodable.class);
    }

    @Test
    void nestsAsDeepAsJsonMay() throws Exception {
        String hex = "d9d9f7" + "81".repeat(1000) + "01";

        assertThat(json(hex)).isEqualTo("[".repeat(1000) + "1" + "]".repeat(1000));
    }

    @Test
    void nestingIsBounded() {
        byte[] deep = new byte[100_000];
        Arrays.fill(deep, (byte) 0x81);

        assertThatThrownBy(() -> Cbor.toJson(deep))
                .isInstanceOf(Undecodable.class)
                .hasMessageContaining("nested");
    }

    @Test
    void anyBytesAreDecodedOrRefused() {
        Random random = new Random();
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[random.nextInt(24)];
            random.nextBytes(bytes);
            try {
                assertThat(Cbor.toJson(bytes)).isNotEmpty();
            } catch (Undecodable refused) {
                assertThat(refused).hasNoCause();
            }
        }
    }
}
