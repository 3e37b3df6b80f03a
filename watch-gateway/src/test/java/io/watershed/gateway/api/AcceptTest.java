package io.watershed.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.watershed.gateway.api.Accept.Conversion;
import io.watershed.gateway.api.Accept.Format;
import io.watershed.gateway.api.Accept.MediaType;
import io.watershed.gateway.api.Accept.Offer;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptTest {
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
    private static final String ALL = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
    private static final String STREAMS =
            "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";
    private static final Offer LIST = Offer.objects(true, true, false);
    private static final Offer WATCH = Offer.objects(true, true, true);
    private static final Offer ONE = Offer.objects(true, false, false);
    private static final Offer CUSTOM = Offer.objects(false, true, false);

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                " ",
                "application/json",
                "application/json;",
                "Application/JSON",
                "*/*",
                "*",
                "application/*",
                "application/json;stream=watch",
                "application/json; charset=utf-8",
                "application/json;q=0",
                "text/html,application/json;q=0.5",
                "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8",
                "application/vnd.kubernetes.protobuf,application/json",
                "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io, application/json",
                "application/json;as=Unknown;v=v1;g=meta.k8s.io,application/json",
                "application/yaml;q=0.3,application/json;q=0.8",
                "*/*,application/json",
                "nonsense,,/,a/b/c,application/json"
            })
    void givesJson(@Nullable String header) throws ApiFailure {
        assertThat(Accept.parse(header).choose(LIST)).isEqualTo(new MediaType(Format.JSON, null, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                TABLE,
                TABLE + ",application/json",
                "application/json;g=meta.k8s.io;as=Table;v=v1",
                "application/json ; v = v1 ; as=Table; g=meta.k8s.io , application/json",
                "text/html, " + TABLE + ", application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
                "*/*;as=Table;v=v1;g=meta.k8s.io"
            })
    void givesATable(String header) throws ApiFailure {
        assertThat(Accept.parse(header).choose(LIST))
                .isEqualTo(new MediaType(Format.JSON, new Conversion("meta.k8s.io", "v1", "Table"), false));
    }

    @Test
    void givesWhatElseThereIs() throws ApiFailure {
        assertThat(Accept.parse("application/yaml").choose(LIST)).isEqualTo(new MediaType(Format.YAML, null, false));
        assertThat(Accept.parse("application/json;pretty=1").choose(LIST))
                .isEqualTo(new MediaType(Format.JSON, null, true));
        assertThat(Accept.parse("application/yaml;as=Table;v=v1beta1;g=meta.k8s.io")
                        .choose(ONE))
                .isEqualTo(new MediaType(Format.YAML, new Conversion("meta.k8s.io", "v1beta1", "Table"), false));
        assertThat(Accept.parse("application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,"
                                + "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json")
                        .choose(WATCH)
                        .as())
                .isEqualTo(new Conversion("meta.k8s.io", "v1", "PartialObjectMetadata"));
        assertThat(Accept.parse("application/json;v=v2;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList")
                        .choose(Offer.groups(false))
                        .as())
                .isNotNull();
    }

    @Test
    void refusesInTheWordsOfWhoServesThePath() {
        refused("text/html", LIST, "406: Not Acceptable\n\nAvailable representations: " + ALL + ", " + STREAMS);
        refused("text/html", WATCH, "406: Not Acceptable\n\nAvailable representations: " + ALL + ", " + STREAMS);
        refused("application/json5", ONE, "406: Not Acceptable\n\nAvailable representations: " + ALL);
        refused("text/html", Offer.groups(true), "406: Not Acceptable\n\nAvailable representations: " + ALL);
        refused("text/html", Offer.document(true), "406: Not Acceptable\n\nAvailable representations: " + ALL);
        refused("text/html", CUSTOM, "only the following media types are accepted: " + ALL);
        refused("text/html", Offer.groups(false), "only the following media types are accepted: " + ALL);
    }

    @ParameterizedTest
    @CsvSource({
        "application/json;as=Unknown;v=v1;g=meta.k8s.io",
        "application/json;as=Table",
        "application/json;as=Table;v=v2;g=meta.k8s.io",
        "application/json;v=v1",
        "application/json;stream=other",
        "application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io",
        "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io",
    })
    void refusesWhatObjectsCanNotBeMadeInto(String header) {
        refused(header, LIST, "only the following media types are accepted: " + ALL);
        refused(header, Offer.document(true), "only the following media types are accepted: " + ALL);
    }

    @Test
    void hasNoWatchInYaml() {
        refused("application/yaml,application/json", WATCH, "only the following media types are accepted: " + STREAMS);
    }

    @Test
    void knowsHowToTellAFailure() {
        assertThat(Accept.parse(TABLE).plain()).isNull();
        assertThat(Accept.parse("text/html").plain()).isNull();
        assertThat(Accept.parse(TABLE + ",application/json").plain())
                .isEqualTo(new MediaType(Format.JSON, null, false));
        assertThat(Accept.parse("application/yaml").plain()).isEqualTo(new MediaType(Format.YAML, null, false));
    }

    @Test
    void staysCalmWhateverTheHeaderIs() throws ApiFailure {
        String alphabet = "*/;,=q.01 \tajson\"";
        Random random = new Random(1);
        for (int i = 0; i < 200_000; i++) {
            StringBuilder header = new StringBuilder();
            for (int length = random.nextInt(30); length > 0; length--) {
                header.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            Accept.parse(header + ",application/json").choose(LIST);
        }
    }

    private static void refused(String header, Offer offer, String message) {
        assertThatExceptionOfType(ApiFailure.class)
                .isThrownBy(() -> Accept.parse(header).choose(offer))
                .satisfies(failure -> assertThat(failure.status().code()).isEqualTo(406))
                .withMessage(message);
    }
}
