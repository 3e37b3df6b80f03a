package io.watershed.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.ResourceType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApiPathTest {
    private static final ResourceType ODD = new ResourceType(
            "t.example.com", "v1", "Odd", "odds", "odd", true, List.of(), List.of(), "t.example.com/odds");
    private static final Resources RESOURCES = resources();

    private static Resources resources() {
        List<ResourceType> types = new ArrayList<>(BuiltInResources.kubernetes());
        types.add(BuiltInResources.KEY_VALUE);
        types.add(ODD);
        return new Resources(types, List.of());
    }

    @Test
    void readsCollectionsWithAndWithoutNamespace() throws ApiFailure {
        assertThat(parse("/api/v1/pods")).isEqualTo(new ApiPath.Objects(type("pods"), null));
        assertThat(parse("/api/v1/pods/")).isEqualTo(new ApiPath.Objects(type("pods"), null));
        assertThat(parse("/api/v1/namespaces/ns/pods")).isEqualTo(new ApiPath.Objects(type("pods"), "ns"));
        assertThat(parse("/api/v1/namespaces")).isEqualTo(new ApiPath.Objects(type("namespaces"), null));
        assertThat(parse("/apis/apps/v1/namespaces/ns/deployments"))
                .isEqualTo(new ApiPath.Objects(type("deployments.apps"), "ns"));
        assertThat(parse("/apis/t.example.com/v1/odds")).isEqualTo(new ApiPath.Objects(ODD, null));
    }

    @Test
    void readsSingleObjects() throws ApiFailure {
        assertThat(parse("/api/v1/namespaces/ns/pods/x")).isEqualTo(new ApiPath.Single(type("pods"), "ns", "x"));
        assertThat(parse("/api/v1/namespaces/ns/pods/x/status")).isEqualTo(new ApiPath.Single(type("pods"), "ns", "x"));
        assertThat(parse("/api/v1/nodes/n")).isEqualTo(new ApiPath.Single(type("nodes"), null, "n"));
        assertThat(parse("/api/v1/namespaces/x")).isEqualTo(new ApiPath.Single(type("namespaces"), null, "x"));
        assertThat(parse("/api/v1/namespaces/x/status")).isEqualTo(new ApiPath.Single(type("namespaces"), null, "x"));
    }

    @Test
    void readsScalesOfWhatCanBeScaled() throws ApiFailure {
        assertThat(parse("/apis/apps/v1/namespaces/ns/deployments/x/scale"))
                .isEqualTo(new ApiPath.Scale(type("deployments.apps"), "ns", "x"));
        for (String path : List.of(
                "/api/v1/namespaces/ns/pods/x/scale",
                "/apis/apps/v1/deployments/x/scale",
                "/apis/apps/v1/namespaces/ns/deployments/x/scale/y",
                "/apis/apps/v1/watch/namespaces/ns/deployments/x/scale")) {
            assertThat(parse(path)).as(path).isEqualTo(new ApiPath.Unknown());
        }
    }

    @Test
    void decodesEachSegmentOnce() throws ApiFailure {
        assertThat(parse("/apis/watershed.io/v1/keyvalues/%252Fflags%252Fa"))
                .isEqualTo(new ApiPath.Single(BuiltInResources.KEY_VALUE, null, "%2Fflags%2Fa"));
        assertThat(parse("/api/v1/namespaces/default/%70ods")).isEqualTo(new ApiPath.Objects(type("pods"), "default"));
        assertThat(parse("/api/v1/namespaces/default/configmaps/..%2fsecrets"))
                .isEqualTo(new ApiPath.Single(type("configmaps"), "default", "../secrets"));
        for (String path : List.of("/api/v1/%", "/api/v1/%4", "/api/v1/%zz", "/api/v1/pods%00", "/api/v1/%c0%ae")) {
            assertThatThrownBy(() -> parse(path)).as(path).isInstanceOf(ApiFailure.class);
        }
    }

    @Test
    void readsTheDeprecatedWatchPrefix() throws ApiFailure {
        assertThat(parse("/api/v1/watch/pods")).isEqualTo(new ApiPath.WatchPrefix(type("pods"), null, null));
        assertThat(parse("/api/v1/watch/namespaces/ns/pods/x"))
                .isEqualTo(new ApiPath.WatchPrefix(type("pods"), "ns", "x"));
        assertThat(parse("/apis/apps/v1/watch/deployments"))
                .isEqualTo(new ApiPath.WatchPrefix(type("deployments.apps"), null, null));
    }

    @Test
    void readsDiscovery() throws ApiFailure {
        assertThat(parse("/api")).isEqualTo(new ApiPath.Groups(true));
        assertThat(parse("/apis/")).isEqualTo(new ApiPath.Groups(false));
        assertThat(parse("/apis/apps")).isEqualTo(new ApiPath.Group("apps"));
        assertThat(parse("/api/v1")).isEqualTo(new ApiPath.GroupVersion("", "v1"));
        assertThat(parse("/apis/t.example.com/v1")).isEqualTo(new ApiPath.GroupVersion("t.example.com", "v1"));
    }

    @Test
    void tellsWhatABuiltInGroupLacksFromWhatNobodyKnows() throws ApiFailure {
        for (String path : List.of(
                "/api/v2",
                "/api/v1/nopes",
                "/apis/apps/v9",
                "/api/v1/pods/x",
                "/api/v1//pods",
                "/api/v1/namespaces/ns/nodes",
                "/api/v1/namespaces/ns/pods/x/nonsense")) {
            assertThat(parse(path)).as(path).isEqualTo(new ApiPath.Unknown());
        }
        for (String path : List.of(
                "/apis/none.example.com",
                "/apis//v1/pods",
                "/apis/t.example.com/v2",
                "/apis/t.example.com/v1/evens",
                "/apis/t.example.com/v1/odds/x",
                "/apis/t.example.com/v1//odds",
                "/apiary")) {
            assertThat(parse(path)).as(path).isEqualTo(new ApiPath.NoPath());
        }
    }

    private static ApiPath parse(String path) throws ApiFailure {
        return ApiPath.parse(path, RESOURCES);
    }

    private static ResourceType type(String resource) {
        return BuiltInResources.byResource(resource).orElseThrow();
    }
}
