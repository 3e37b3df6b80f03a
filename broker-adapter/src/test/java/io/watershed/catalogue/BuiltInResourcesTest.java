package io.watershed.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BuiltInResourcesTest {
    private static Stream<ResourceType> all() {
        return Stream.concat(BuiltInResources.kubernetes().stream(), BuiltInResources.optional().stream());
    }

    @Test
    void everyResourceIsFoundByItsNameAndByItsPlaceInEtcd() {
        all().forEach(type -> {
            assertThat(BuiltInResources.byResource(type.resource())).contains(type);
            assertThat(BuiltInResources.byStoragePrefix(type.storagePrefix()))
                    .map(ResourceType::resource)
                    .contains(type.storedAs());
        });
        assertThat(all().filter(type -> type.storedAs().equals(type.resource())).map(ResourceType::storagePrefix))
                .doesNotHaveDuplicates();
        assertThat(all().map(ResourceType::resource)).doesNotHaveDuplicates();
    }

    @Test
    void eventsAreTheOnlyObjectsOfTwoGroups() {
        assertThat(all().filter(type -> !type.storedAs().equals(type.resource())))
                .extracting(type -> type.apiVersion() + " " + type.resource() + " " + type.storedAs())
                .containsExactly("events.k8s.io/v1 events.events.k8s.io events");
    }

    @Test
    void onlyWhatKubernetesGivesAStatusPathHasOne() {
        assertThat(all().filter(ResourceType::hasStatus).map(ResourceType::resource))
                .contains("pods", "nodes", "deployments.apps", "customresourcedefinitions.apiextensions.k8s.io")
                .doesNotContain(
                        "configmaps", "events", "leases.coordination.k8s.io", "roles.rbac.authorization.k8s.io");
    }

    @ParameterizedTest
    @CsvSource({
        "nodes, minions",
        "replicationcontrollers, controllers",
        "services, services/specs",
        "endpoints, services/endpoints",
        "ingresses.networking.k8s.io, ingress",
        "customresourcedefinitions.apiextensions.k8s.io, apiextensions.k8s.io/customresourcedefinitions",
        "apiservices.apiregistration.k8s.io, apiregistration.k8s.io/apiservices",
    })
    void someLieElsewhereInEtcdThanTheirNameSays(String resource, String prefix) {
        assertThat(BuiltInResources.byResource(resource))
                .map(ResourceType::storagePrefix)
                .contains(prefix);
    }

    @Test
    void whatKubernetesServesOnlyWhereItIsSwitchedOnIsApart() {
        assertThat(BuiltInResources.optional())
                .extracting(type -> type.resource() + " " + type.version())
                .containsExactly(
                        "podgroups.scheduling.k8s.io v1beta1",
                        "workloads.scheduling.k8s.io v1beta1",
                        "compositepodgroups.scheduling.k8s.io v1alpha3",
                        "leasecandidates.coordination.k8s.io v1beta1",
                        "resourcepoolstatusrequests.resource.k8s.io v1alpha3",
                        "evictionrequests.lifecycle.k8s.io v1alpha1",
                        "evictions.lifecycle.k8s.io v1alpha1",
                        "storageversions.internal.apiserver.k8s.io v1alpha1");
        assertThat(BuiltInResources.kubernetes()).doesNotContainAnyElementsOf(BuiltInResources.optional());
    }
}
