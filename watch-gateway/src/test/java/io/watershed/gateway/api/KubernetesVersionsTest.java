package io.watershed.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KubernetesVersionsTest {
    @Test
    void stableVersionsComeBeforeBetaBeforeAlphaBeforeOthersAndHigherOnesFirst() {
        List<String> ordered = List.of(
                "v10",
                "v2",
                "v1",
                "v11beta2",
                "v3beta1",
                "v12alpha1",
                "v11alpha2",
                "V1",
                "foo1",
                "foo10",
                "v0",
                "v1gamma1");
        List<String> shuffled = new java.util.ArrayList<>(ordered);
        Collections.shuffle(shuffled, new Random(7));

        assertThat(shuffled.stream().sorted(KubernetesVersions.PREFERRED_FIRST)).containsExactlyElementsOf(ordered);
    }

    @Test
    void aNumberThatNoIntegerHoldsIsNoVersionOfKubernetes() {
        assertThat(Stream.of("v99999999999", "v1alpha1").sorted(KubernetesVersions.PREFERRED_FIRST))
                .containsExactly("v1alpha1", "v99999999999");
    }
}
