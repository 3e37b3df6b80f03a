package io.watershed.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.catalogue.BuiltInResources;
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
}
