package io.watershed.gateway.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.gateway.select.FieldLabels.Field;
import java.util.List;
import org.junit.jupiter.api.Test;

class FieldLabelsTest {
    @Test
    void everyResourceHasItsName() {
        assertThat(FieldLabels.of("configmaps").fields()).extracting(Field::key).contains("metadata.name");
        assertThat(FieldLabels.of("anything.example.com").fields())
                .extracting(Field::key)
                .containsExactlyInAnyOrder("metadata.name", "metadata.namespace");
    }

    @Test
    void booleansAreFalseWhenAbsent() {
        assertThat(field("pods", "spec.hostNetwork").absent()).isEqualTo("false");
        assertThat(field("nodes", "spec.unschedulable").absent()).isEqualTo("false");
    }

    @Test
    void countsAreZeroWhenAbsent() {
        assertThat(field("jobs.batch", "status.successful"))
                .isEqualTo(new Field("status.successful", List.of(List.of("status", "succeeded")), "0"));
        assertThat(field("replicationcontrollers", "status.replicas").absent()).isEqualTo("0");
    }

    @Test
    void podIpIsTheFirstOfPodIps() {
        assertThat(field("pods", "status.podIP").paths())
                .containsExactly(List.of("status", "podIPs", FieldLabels.FIRST, "ip"), List.of("status", "podIP"));
        assertThat(field("pods", "status.podIPs").paths()).isEmpty();
    }

    @Test
    void sourceOfAnEventIsItsReporterWhenItHasNoComponent() {
        assertThat(field("events", "source").paths())
                .containsExactly(List.of("source", "component"), List.of("reportingComponent"));
    }

    @Test
    void labelsThatShareAValueShareAField() {
        assertThat(FieldLabels.of("pods").field("spec.host"))
                .isEqualTo(FieldLabels.of("pods").field("spec.nodeName"));
        assertThat(FieldLabels.of("events.events.k8s.io").field("regarding.name"))
                .isEqualTo(FieldLabels.of("events").field("involvedObject.name"));
        assertThat(FieldLabels.of("pods").fields()).doesNotHaveDuplicates();
    }

    private static Field field(String resource, String key) {
        return FieldLabels.of(resource).fields().stream()
                .filter(field -> field.key().equals(key))
                .findFirst()
                .orElseThrow();
    }
}
