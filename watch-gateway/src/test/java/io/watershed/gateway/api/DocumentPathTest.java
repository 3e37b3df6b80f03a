package io.watershed.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.KeyPattern;
import io.watershed.catalogue.ResourceType;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentPathTest {
    private static final Resources RESOURCES = new Resources(List.of(BuiltInResources.KEY_VALUE), List.of());

    @ParameterizedTest
    @CsvSource({
        "%2Fflags%2Fa, %2Fflags%2Fa",
        "%252Fflags%252Fa, %2Fflags%2Fa",
        "user.rpc%2F7587, user.rpc%2F7587",
        "plain, plain",
        "%C3%A9, %C3%A9",
        "%25C3%25A9, %C3%A9",
        "50%25, 50%25"
    })
    void aDocumentIsNamedByItsKeyOrByItsName(String segment, String name) throws ApiFailure {
        assertThat(ApiPath.parse("/apis/watershed.io/v1/keyvalues/" + segment, RESOURCES))
                .isEqualTo(new ApiPath.Single(BuiltInResources.KEY_VALUE, null, name));
    }

    @ParameterizedTest
    @CsvSource({
        "shop/flags/a, shop, a",
        "shop/flags/a%252Fb, shop, a%2Fb",
        "shop/flags/a%2Fb, shop, a%2Fb",
        "e%20u/flags/a, e%20u, a",
        "e%2520u/flags/%252E%252E, e%20u, %2E%2E",
    })
    void aConfiguredDocumentIsNamedByTheEndOfItsKeyOrByItsName(String path, String namespace, String name)
            throws ApiFailure {
        ResourceType flags = ResourceType.document(
                "flags.example.com", "v1", "Flag", "flags", KeyPattern.parse("/flags/{namespace}/{name}"));
        Resources resources = new Resources(List.of(flags), List.of());
        String base = "/apis/flags.example.com/v1/namespaces/";

        assertThat(ApiPath.parse(base + path, resources)).isEqualTo(new ApiPath.Single(flags, namespace, name));
        assertThat(ApiPath.parse(base + path.substring(0, path.lastIndexOf('/')), resources))
                .isEqualTo(new ApiPath.Objects(flags, namespace));
    }
}
