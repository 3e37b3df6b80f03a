package io.watershed.gateway.represent;

import static io.watershed.gateway.represent.RawJson.map;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.ResourceType;
import io.watershed.gateway.api.Accept;
import io.watershed.gateway.api.ApiFailure;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TableTransformTest {
    private static final InstantSource CLOCK = () -> Instant.parse("2026-11-30T10:00:00Z");
    private static final ResourceType PODS = BuiltInResources.byResource("pods").orElseThrow();
    private static final byte[] BOOKMARK =
            "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"9\"}}".getBytes(UTF_8);
    private static final String PARTIAL = "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\","
            + "\"metadata\":{\"resourceVersion\":\"9\"}}";
    private static final String CELLS =
            "[\"\",\"0/0\",\"\",\"0\",\"<unknown>\",\"<none>\",\"<none>\",\"<none>\",\"<none>\"]";

    private final Representations representations =
            new Representations(CLOCK, type -> Representations.nameAndAge(), type -> Conversion.NONE);

    @Test
    void makesARowOfWhatHasNothing() throws ApiFailure {
        assertThat(text(table(PODS, "v1", "").event(BOOKMARK)))
                .isEqualTo(
                        "{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{\"resourceVersion\":\"9\"},"
                                + "\"columnDefinitions\":null,\"rows\":[{\"cells\":" + CELLS + ",\"object\":" + PARTIAL
                                + "}]}");
    }

    @Test
    void showsTheObjectOfTheLastInitialEventWhateverWasAskedFor() throws ApiFailure {
        Transform none = table(PODS, "v1", "None");

        assertThat(text(none.bookmark(BOOKMARK, false))).endsWith("\"object\":null}]}");
        assertThat(text(none.bookmark(BOOKMARK, true))).endsWith("\"object\":" + PARTIAL + "}]}");
        assertThat(text(table(PODS, "v1", "Object").bookmark(BOOKMARK, true)))
                .endsWith("\"object\":" + text(BOOKMARK) + "}]}");
    }

    @Test
    void namesTheVersionThatWasAskedFor() throws ApiFailure {
        assertThat(text(table(PODS, "v1beta1", "").object(BOOKMARK)))
                .contains("\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1beta1\"")
                .contains("\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1beta1\"");
    }

    @Test
    void isEqualToWhatShowsTheSame() throws ApiFailure {
        assertThat(table(PODS, "v1", ""))
                .isEqualTo(table(PODS, "v1", "Metadata"))
                .isNotEqualTo(table(PODS, "v1", "None"));
        assertThat(table(PODS, "v1", "")).isNotEqualTo(table(PODS, "v1beta1", ""));
        byte[] definition = definition(".spec.a");
        assertThat(CustomPrinters.of(JsonTree.of(definition), "v1"))
                .isEqualTo(CustomPrinters.of(JsonTree.of(definition), "v1"))
                .hasSameHashCodeAs(CustomPrinters.of(JsonTree.of(definition), "v1"))
                .isNotEqualTo(CustomPrinters.of(JsonTree.of(definition(".spec.b")), "v1"));
    }

    @Test
    void showsCreationTimesOfBuiltInKindsWithoutColumns() throws ApiFailure {
        ResourceType roles =
                BuiltInResources.byResource("roles.rbac.authorization.k8s.io").orElseThrow();

        assertThat(text(table(roles, "v1", "None").event(BOOKMARK)))
                .contains("\"cells\":[\"\",\"0001-01-01T00:00:00Z\"]");
    }

    @Test
    void showsNameAndAgeOfDocuments() throws ApiFailure {
        byte[] document =
                ("{\"kind\":\"KeyValue\",\"apiVersion\":\"watershed.io/v1\",\"metadata\":{\"resourceVersion\":\"9\","
                                + "\"name\":\"%2Fa\",\"creationTimestamp\":\"2026-11-30T09:00:00Z\"}}")
                        .getBytes(UTF_8);

        Map<String, Object> shown =
                map(RawJson.read(table(BuiltInResources.KEY_VALUE, "v1", "None").object(document)));

        assertThat(RawJson.write(shown.get("rows"))).isEqualTo("[{\"cells\":[\"%2Fa\",\"60m\"],\"object\":null}]");
        assertThat(RawJson.list(shown.get("columnDefinitions"))).hasSize(2);
    }

    @Test
    void staysCalmWhateverTheObjectIs() throws ApiFailure {
        List<String> odd = List.of(
                "}",
                "},\"status\":" + "[".repeat(100_000) + "]".repeat(100_000),
                "},\"status\":{\"startTime\":5,\"containerStatuses\":{\"a\":1},\"initContainerStatuses\":[1,null,\"x\"]}",
                "},\"spec\":[],\"status\":\"x\"",
                ",\"creationTimestamp\":{},\"name\":[1],\"labels\":5,\"annotations\":null},\"spec\":"
                        + "9".repeat(50_000));
        for (ResourceType type : BuiltInResources.kubernetes()) {
            for (String rest : odd) {
                byte[] object = ("{\"kind\":\"K\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"9\"" + rest
                                + "}")
                        .getBytes(UTF_8);
                assertThat(text(table(type, "v1", "None").object(object)))
                        .as(type.resource())
                        .endsWith("\"object\":null}]}");
            }
        }
    }

    @Test
    void refusesAnUnknownIncludeObjectForTablesOnly() throws ApiFailure {
        assertThatExceptionOfType(ApiFailure.class)
                .isThrownBy(() -> table(PODS, "v1", "x"))
                .withMessage("Unable to convert to Table as requested: includeObject: Invalid value: \"x\": must be"
                        + " 'Metadata', 'Object', 'None', or empty");
        assertThat(representations.of(null, Syntax.JSON, PODS, true, false, "x").transform())
                .isEqualTo(new Transform.Whole(PODS, Conversion.NONE));
    }

    @Test
    void tellsListsFromObjects() throws ApiFailure {
        Accept.Conversion one = new Accept.Conversion("meta.k8s.io", "v1", "PartialObjectMetadata");
        Accept.Conversion many = new Accept.Conversion("meta.k8s.io", "v1", "PartialObjectMetadataList");
        ResourceType roles =
                BuiltInResources.byResource("roles.rbac.authorization.k8s.io").orElseThrow();

        assertThatExceptionOfType(ApiFailure.class)
                .isThrownBy(() -> representations.of(one, Syntax.JSON, PODS, true, false, ""))
                .withMessage("you requested PartialObjectMetadata, but the requested object is a list (*core.PodList)");
        assertThatExceptionOfType(ApiFailure.class)
                .isThrownBy(() -> representations.of(many, Syntax.YAML, roles, false, false, ""))
                .withMessage(
                        "you requested PartialObjectMetadataList, but the requested object is not a list (*rbac.Role)");
        for (Accept.Conversion as : List.of(one, many)) {
            assertThat(representations.of(as, Syntax.JSON, PODS, true, true, "").transform())
                    .isEqualTo(new Transform.Metadata("meta.k8s.io/v1", Conversion.NONE));
        }
    }

    private Transform table(ResourceType type, String version, String includeObject) throws ApiFailure {
        Accept.Conversion as = new Accept.Conversion("meta.k8s.io", version, "Table");
        return representations
                .of(as, Syntax.JSON, type, true, false, includeObject)
                .transform();
    }

    private static byte[] definition(String path) {
        return ("{\"spec\":{\"versions\":[{\"name\":\"v1\",\"additionalPrinterColumns\":[{\"name\":\"A\",\"type\":\"string\","
                        + "\"jsonPath\":\"" + path + "\"}]}]}}")
                .getBytes(UTF_8);
    }

    private static String text(byte[] json) {
        return new String(json, UTF_8);
    }
}
