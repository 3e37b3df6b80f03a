package io.watershed.ingest.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.log.EtcdKey;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyRangeTest {
    private static List<String> ranges(String... prefixes) {
        return KeyRange.ofPrefixes(Arrays.stream(prefixes).map(EtcdKey::utf8).toList()).stream()
                .map(KeyRange::toString)
                .toList();
    }

    @Test
    void endsAfterTheLastKeyWithThePrefix() {
        assertThat(ranges("/registry/")).containsExactly("[/registry/, /registry0)");
    }

    @Test
    void takesAnEmptyPrefixForTheWholeKeyspace() {
        assertThat(ranges("")).containsExactly("[\\x00, the end)");
        assertThat(ranges("/a/", "", "/b/")).containsExactly("[\\x00, the end)");
    }

    @Test
    void carriesBeyondTheHighestByte() {
        KeyRange range = KeyRange.ofPrefix(EtcdKey.of(new byte[] {'a', (byte) 0xff, (byte) 0xff}));
        assertThat(range.end()).isEqualTo(EtcdKey.utf8("b"));
        KeyRange last = KeyRange.ofPrefix(EtcdKey.of(new byte[] {(byte) 0xff}));
        assertThat(last.toString()).isEqualTo("[\\xff, the end)");
    }

    @Test
    void mergesNestedAndRepeatedPrefixes() {
        assertThat(ranges("/b/", "/a/", "/a/x/", "/b/")).containsExactly("[/a/, /a0)", "[/b/, /b0)");
    }

    @Test
    void coversAllRangesWithOne() {
        List<KeyRange> ranges = KeyRange.ofPrefixes(List.of(EtcdKey.utf8("/b/"), EtcdKey.utf8("/d/")));
        assertThat(KeyRange.covering(ranges).toString()).isEqualTo("[/b/, /d0)");
    }
}
