package io.watershed.gateway.review;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.watershed.gateway.access.AccessPolicy;
import io.watershed.gateway.access.Action;
import io.watershed.gateway.access.AlwaysAllow;
import io.watershed.gateway.access.Caller;
import io.watershed.gateway.access.Decision;
import io.watershed.gateway.access.Rules;
import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.api.SelfReview;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReviewsTest {
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String AUTHORIZATION = "authorization.k8s.io/v1";
    private static final Caller ALICE = new Caller("alice", "u1", List.of("dev", "system:authenticated"));

    private final Reviews reviews = reviews(new AlwaysAllow());

    private static Reviews reviews(AccessPolicy policy) {
        return new Reviews(policy, () -> Instant.parse("2026-01-05T09:00:00.987Z"));
    }

    @Test
    void saysWhoTheCallerIs() throws ApiFailure {
        assertThat(json(SelfReview.SUBJECT, "{}"))
                .isEqualTo("{\"kind\":\"SelfSubjectReview\",\"apiVersion\":\"authentication.k8s.io/v1\","
                        + "\"metadata\":{\"creationTimestamp\":\"2026-01-05T09:00:00Z\"},\"status\":{\"userInfo\":"
                        + "{\"username\":\"system:anonymous\",\"groups\":[\"system:unauthenticated\"]}}}");
        assertThat(new String(reviews.answer(SelfReview.SUBJECT, ALICE, null, "{}".getBytes(UTF_8)), UTF_8))
                .endsWith("{\"username\":\"alice\",\"uid\":\"u1\",\"groups\":[\"dev\",\"system:authenticated\"]}}}");
    }

    @Test
    void saysWhetherTheCallerMay() throws ApiFailure {
        assertThat(
                        json(
                                SelfReview.ACCESS,
                                "{\"spec\":{\"resourceAttributes\":{\"verb\":\"list\",\"resource\":\"pods\",\"namespace\":\"a\"}}}"))
                .isEqualTo("{\"kind\":\"SelfSubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\","
                        + "\"metadata\":{},\"spec\":{\"resourceAttributes\":{\"namespace\":\"a\",\"verb\":\"list\","
                        + "\"resource\":\"pods\"}},\"status\":{\"allowed\":true}}");
        assertThat(json(
                        SelfReview.ACCESS,
                        "{\"spec\":{\"resourceAttributes\":{\"verb\":\"delete\",\"resource\":\"pods\"}}}"))
                .endsWith("\"status\":{\"allowed\":false,\"reason\":\"this server only reads\"}}");
        assertThat(json(
                        SelfReview.ACCESS,
                        "{\"spec\":{\"nonResourceAttributes\":{\"path\":\"/metrics\",\"verb\":\"get\"}}}"))
                .endsWith("\"spec\":{\"nonResourceAttributes\":{\"path\":\"/metrics\",\"verb\":\"get\"}},"
                        + "\"status\":{\"allowed\":true}}");
    }

    @Test
    void saysWhatTheCallerMay() throws ApiFailure {
        assertThat(json(SelfReview.RULES, "{\"spec\":{\"namespace\":\"a\"}}"))
                .isEqualTo("{\"kind\":\"SelfSubjectRulesReview\",\"apiVersion\":\"authorization.k8s.io/v1\","
                        + "\"metadata\":{},\"spec\":{},\"status\":{\"resourceRules\":["
                        + "{\"verbs\":[\"create\"],\"apiGroups\":[\"authentication.k8s.io\"],"
                        + "\"resources\":[\"selfsubjectreviews\"]},"
                        + "{\"verbs\":[\"create\"],\"apiGroups\":[\"authorization.k8s.io\"],"
                        + "\"resources\":[\"selfsubjectaccessreviews\"]},"
                        + "{\"verbs\":[\"create\"],\"apiGroups\":[\"authorization.k8s.io\"],"
                        + "\"resources\":[\"selfsubjectrulesreviews\"]},"
                        + "{\"verbs\":[\"get\",\"list\",\"watch\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]}],"
                        + "\"nonResourceRules\":[{\"verbs\":[\"get\",\"head\"],\"nonResourceURLs\":[\"*\"]}],"
                        + "\"incomplete\":false}}");
    }

    @Test
    void asksThePolicyAndPassesOnWhyAndWhatIsMissing() throws ApiFailure {
        Reviews strict = reviews(new AccessPolicy() {
            @Override
            public Decision decide(Caller caller, Action action) {
                return new Decision(false, caller.name() + " " + action);
            }

            @Override
            public Rules rules(Caller caller, String namespace) {
                return new Rules(
                        List.of(new Rules.OfResources(
                                List.of("get"), List.of(""), List.of("configmaps"), List.of("frozen"))),
                        List.of(),
                        "no role in " + namespace);
            }
        });

        assertThat(new String(
                        strict.answer(
                                SelfReview.ACCESS,
                                ALICE,
                                PROTOBUF,
                                access(attributes("a", "get", "apps", "v1", "deployments", "status", "web"))),
                        UTF_8))
                .contains("alice OnResource[namespace=a, verb=get, group=apps, version=v1, resource=deployments, "
                        + "subresource=status, name=web]");
        assertThat(new String(
                        strict.answer(
                                SelfReview.RULES, ALICE, null, "{\"spec\":{\"namespace\":\"a\"}}".getBytes(UTF_8)),
                        UTF_8))
                .endsWith("\"status\":{\"resourceRules\":[{\"verbs\":[\"get\"],\"apiGroups\":[\"\"],"
                        + "\"resources\":[\"configmaps\"],\"resourceNames\":[\"frozen\"]}],\"nonResourceRules\":[],"
                        + "\"incomplete\":true,\"evaluationError\":\"no role in a\"}}");
    }

    @Test
    void readsKubernetesProtobuf() throws ApiFailure {
        assertThat(answer(
                        SelfReview.ACCESS,
                        PROTOBUF,
                        access(attributes("a", "get", "apps", "v1", "deployments", "status", "web"))))
                .contains(
                        "\"spec\":{\"resourceAttributes\":{\"namespace\":\"a\",\"verb\":\"get\",\"group\":\"apps\","
                                + "\"version\":\"v1\",\"resource\":\"deployments\",\"subresource\":\"status\",\"name\":\"web\"}}");
        ProtobufWriter path = new ProtobufWriter().field(1, "/version").field(2, "get");
        assertThat(answer(SelfReview.ACCESS, PROTOBUF, access(new ProtobufWriter().field(2, path))))
                .contains("\"nonResourceAttributes\":{\"path\":\"/version\",\"verb\":\"get\"}");
        assertThat(answer(
                        SelfReview.RULES,
                        PROTOBUF,
                        ProtobufWriter.envelope(
                                AUTHORIZATION,
                                "SelfSubjectRulesReview",
                                new ProtobufWriter().field(1, "").field(2, new ProtobufWriter().field(1, "a")))))
                .contains("\"resourceRules\"");
        assertThat(answer(
                        SelfReview.SUBJECT,
                        PROTOBUF,
                        ProtobufWriter.envelope("authentication.k8s.io/v1", "SelfSubjectReview", new ProtobufWriter())))
                .contains("system:anonymous");
    }

    @Test
    void passesOverFieldsThatItDoesNotKnow() throws ApiFailure {
        ProtobufWriter attributes = new ProtobufWriter()
                .number(90, 1L << 62)
                .raw(0x5d, 1, 2, 3, 4)
                .raw(0x59, 1, 2, 3, 4, 5, 6, 7, 8)
                .field(1, "a")
                .field(2, "list")
                .field(8, new ProtobufWriter().field(1, "metadata.name=x"));

        assertThat(answer(SelfReview.ACCESS, PROTOBUF, access(new ProtobufWriter().field(1, attributes))))
                .contains("{\"resourceAttributes\":{\"namespace\":\"a\",\"verb\":\"list\"}}");
        assertThat(json(SelfReview.SUBJECT, "{\"metadata\":{\"managedFields\":[]},\"x\":1}"))
                .contains("system:anonymous");
    }

    @Test
    void asksForOneKindOfAttributes() {
        ProtobufWriter both = attributes("a", "get", "", "", "pods", "", "").field(2, new ProtobufWriter());

        assertThat(failure(SelfReview.ACCESS, "application/json", bytes("{\"spec\":{}}")))
                .isEqualTo(
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":"
                                + "\".authorization.k8s.io \\\"\\\" is invalid: spec: Invalid value: null: exactly one of "
                                + "nonResourceAttributes or resourceAttributes must be specified\",\"reason\":\"Invalid\","
                                + "\"details\":{\"group\":\"authorization.k8s.io\",\"causes\":[{\"reason\":\"FieldValueInvalid\","
                                + "\"message\":\"Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes "
                                + "must be specified\",\"field\":\"spec\"}]},\"code\":422}");
        assertThat(failure(SelfReview.ACCESS, PROTOBUF, access(both))).contains("exactly one of", "\"code\":422");
    }

    @Test
    void asksForANamespace() {
        for (String body : List.of("{}", "{\"spec\":null}", "{\"spec\":{}}", "{\"spec\":{\"namespace\":\"\"}}")) {
            assertThat(failure(SelfReview.RULES, null, bytes(body)))
                    .contains("\"message\":\"no namespace on request\",\"reason\":\"BadRequest\",\"code\":400");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "x",
                "[]",
                "null",
                "{} {}",
                "{\"spec\":1}",
                "{\"spec\":{\"resourceAttributes\":[]}}",
                "{\"spec\":{\"resourceAttributes\":{\"verb\":1}}}",
                "{\"kind\":\"Pod\"}",
                "{\"apiVersion\":\"v1\"}"
            })
    void refusesJsonThatIsNotTheReview(String body) {
        assertThat(failure(SelfReview.ACCESS, "application/json; charset=utf-8", bytes(body)))
                .contains("\"reason\":\"BadRequest\",\"code\":400");
    }

    @Test
    void refusesProtobufThatIsNotTheReview() {
        byte[] whole = access(attributes("a", "get", "", "", "pods", "", ""));

        assertThat(failure(SelfReview.RULES, PROTOBUF, whole)).contains("\"code\":400");
        assertThat(failure(SelfReview.ACCESS, PROTOBUF, bytes("{}"))).contains("\"code\":400");
        for (int[] broken :
                new int[][] {{0x0b}, {0x0a}, {0x0a, 0x7f, 1}, {0x08}, {0x0a, 0xff, 0xff, 0xff, 0xff, 0xff}}) {
            assertThat(failure(
                            SelfReview.ACCESS,
                            PROTOBUF,
                            new ProtobufWriter()
                                    .raw('k', '8', 's', 0)
                                    .raw(broken)
                                    .bytes()))
                    .contains("\"code\":400");
        }
        byte[] longest = new ProtobufWriter()
                .raw('k', '8', 's', 0, 0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1)
                .bytes();
        assertThat(failure(SelfReview.ACCESS, PROTOBUF, longest)).contains("\"code\":400");
    }

    @Test
    void refusesOtherTypesOfBodies() throws ApiFailure {
        for (String type : List.of("", "application/json", "Application/JSON; charset=utf-8", PROTOBUF)) {
            reviews.check(type);
        }
        for (String type : List.of("text/plain", "application/yaml", "application/json-patch+json", ";")) {
            assertThat(status(catchThrowableOfType(ApiFailure.class, () -> reviews.check(type))))
                    .as(type)
                    .contains("\"reason\":\"UnsupportedMediaType\",\"code\":415");
        }
    }

    private static byte[] access(ProtobufWriter spec) {
        return ProtobufWriter.envelope(
                AUTHORIZATION,
                "SelfSubjectAccessReview",
                new ProtobufWriter()
                        .field(1, new ProtobufWriter())
                        .field(2, spec)
                        .field(3, new ProtobufWriter().number(1, 0)));
    }

    /** A spec with {@code resourceAttributes}. */
    private static ProtobufWriter attributes(String... texts) {
        ProtobufWriter attributes = new ProtobufWriter();
        for (int i = 0; i < texts.length; i++) {
            attributes.field(i + 1, texts[i]);
        }
        return new ProtobufWriter().field(1, attributes);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private String json(SelfReview review, String body) throws ApiFailure {
        return answer(review, "application/json", bytes(body));
    }

    private String answer(SelfReview review, @Nullable String type, byte[] body) throws ApiFailure {
        return new String(reviews.answer(review, Caller.ANONYMOUS, type, body), UTF_8);
    }

    private String failure(SelfReview review, @Nullable String type, byte[] body) {
        return status(
                catchThrowableOfType(ApiFailure.class, () -> reviews.answer(review, Caller.ANONYMOUS, type, body)));
    }

    private static String status(@Nullable ApiFailure failure) {
        return Objects.requireNonNull(failure, "no failure").status().toString();
    }
}
