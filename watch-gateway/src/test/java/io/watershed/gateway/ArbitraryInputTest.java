package io.watershed.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.KeyPattern;
import io.watershed.catalogue.ResourceType;
import io.watershed.gateway.access.AlwaysAllow;
import io.watershed.gateway.access.Caller;
import io.watershed.gateway.api.Accept;
import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.api.ApiPath;
import io.watershed.gateway.api.ListOptions;
import io.watershed.gateway.api.Query;
import io.watershed.gateway.api.Resources;
import io.watershed.gateway.api.SelfReview;
import io.watershed.gateway.review.ProtobufWriter;
import io.watershed.gateway.review.Reviews;
import io.watershed.gateway.select.FieldLabels;
import io.watershed.gateway.select.FieldSelector;
import io.watershed.gateway.select.LabelSelector;
import io.watershed.gateway.select.SelectorSyntax;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a client sends, it is parsed or refused as the client's fault: no parser fails in another way, or for want of stack. */
class ArbitraryInputTest {
    private static final int RUNS = 10_000;

    /** A parser that needs more calls itself once a character, in bytes. */
    private static final long STACK = 256 << 10;

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final List<String> PATHS = List.of(
            "/api",
            "/api/v1/namespaces/default/pods/web-0/status",
            "/api/v1/watch/namespaces/default/pods",
            "/api/v1/namespaces/kube-system/finalize",
            "/apis/apps/v1/deployments/",
            "/apis/watershed.io/v1/keyvalues/%252Fflags%252Fa",
            "/apis/flags.example.com/v1/namespaces/a%20b/flags/x",
            "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
            "/apis/events.k8s.io/v1/events");
    private static final List<String> QUERIES = List.of(
            "watch=true&allowWatchBookmarks=1&resourceVersion=123&timeoutSeconds=300",
            "limit=500&continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiIvYS9iXHUwMDAwIn0",
            "resourceVersion=0&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&watch",
            "labelSelector=a%3Db%2Cc+in+%28d%29&fieldSelector=metadata.name%3Dx&pretty=false&limit=9223372036854775808",
            "resourceVersion=18446744073709551616&resourceVersionMatch=Exact&limit=-1&limit=+2");
    private static final List<String> ACCEPTS = List.of(
            "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
            "application/vnd.kubernetes.protobuf,application/json;q=0.5,*/*;q=.1",
            "application/yaml;stream=watch;pretty=1",
            "text/html, application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
    private static final List<String> LABELS =
            List.of("a=b,c!=d", "tier in (front, back),!x", "app.kubernetes.io/name notin (a)", "a==b", "x>1,y<2", "");
    private static final List<String> FIELDS = List.of(
            "metadata.name=x,metadata.namespace!=y",
            "spec.nodeName=",
            "status.phase!=Succeeded",
            "a\\,b=\\\\",
            "enabled=true");
    private static final List<String> BODIES = List.of(
            "{\"kind\":\"SelfSubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\",\"spec\":"
                    + "{\"resourceAttributes\":{\"verb\":\"list\",\"resource\":\"pods\"}}}",
            "{\"spec\":{\"nonResourceAttributes\":{\"path\":\"/version\",\"verb\":\"get\"}}}",
            "{\"spec\":{\"namespace\":\"default\"}}",
            "[[[[[[[[[[",
            "{\"a\":{\"a\":{\"a\":");

    private final Resources resources = resources();
    private final Reviews reviews = new Reviews(new AlwaysAllow(), () -> Instant.EPOCH);
    private final List<FieldLabels> fieldLabels = new ArrayList<>();

    private interface Parsing {
        void run() throws ApiFailure, SelectorSyntax;
    }

    private static Resources resources() {
        List<ResourceType> types = new ArrayList<>(BuiltInResources.kubernetes());
        types.add(BuiltInResources.KEY_VALUE);
        types.add(ResourceType.document(
                "flags.example.com", "v1", "Flag", "flags", KeyPattern.parse("/flags/{namespace}/{name}")));
        return new Resources(types, List.of());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void everyInputIsParsedOrRefused(long seed) throws InterruptedException {
        for (String resource : List.of("pods", "events", "nodes", "keyvalues.watershed.io")) {
            fieldLabels.add(FieldLabels.of(BuiltInResources.byResource(resource).orElse(BuiltInResources.KEY_VALUE)));
        }
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(null, () -> parseAll(seed), "small stack", STACK);
        thread.setUncaughtExceptionHandler((ended, why) -> failure.set(why));
        thread.start();
        thread.join();
        assertThat(failure.get()).isNull();
    }

    private void parseAll(long seed) {
        for (long run = 0; run < RUNS; run++) {
            long runSeed = seed * 1_000_003 + run;
            Random random = new Random(runSeed);
            ArbitraryText text = new ArbitraryText(random);
            try {
                parse(text, random);
            } catch (AssertionError | RuntimeException | StackOverflowError e) {
                throw new AssertionError("seed " + runSeed, e);
            }
        }
    }

    private void parse(ArbitraryText text, Random random) {
        String path = "/" + text.near(PATHS);
        refusedAtMost(() -> ApiPath.parse(path, resources));
        refusedAtMost(() -> ApiPath.parse(path.substring(1).startsWith("/") ? path.substring(1) : path, resources));
        String query = text.near(QUERIES);
        refusedAtMost(() -> ListOptions.parse(Query.parse(query), random.nextInt(4) == 0));
        String accept = text.near(ACCEPTS);
        refusedAtMost(() -> Accept.parse(accept)
                .choose(Accept.Offer.objects(random.nextBoolean(), random.nextBoolean(), random.nextBoolean())));
        refusedAtMost(() -> Accept.parse(accept).choose(Accept.Offer.groups(random.nextBoolean())));
        String labels = text.near(LABELS);
        refusedAtMost(() -> LabelSelector.parse(labels));
        String fields = text.near(FIELDS);
        refusedAtMost(() -> FieldSelector.parse(text.any(fieldLabels), fields));
        SelfReview review = text.any(List.of(SelfReview.values()));
        byte[] json = text.near(BODIES).getBytes(UTF_8);
        answeredInJson(review, "application/json", json);
        answeredInJson(review, "application/vnd.kubernetes.protobuf", protobuf(review, random));
    }

    private void answeredInJson(SelfReview review, String type, byte[] body) {
        refusedAtMost(() -> {
            byte[] answer = reviews.answer(review, Caller.ANONYMOUS, type, body);
            try {
                assertThat(JSON.readTree(answer).path("kind").asText())
                        .isEqualTo(review.type().kind());
            } catch (IOException e) {
                throw new AssertionError("no JSON: " + new String(answer, UTF_8), e);
            }
        });
    }

    /** A review on the wire with some of its bytes changed. */
    private static byte[] protobuf(SelfReview review, Random random) {
        ProtobufWriter attributes =
                new ProtobufWriter().field(1, "default").field(2, "list").field(5, "pods");
        ProtobufWriter object = new ProtobufWriter()
                .field(1, "")
                .field(2, new ProtobufWriter().field(1, attributes))
                .number(9, random.nextLong());
        byte[] body = ProtobufWriter.envelope(
                review.type().apiVersion(), review.type().kind(), object);
        for (int edits = random.nextInt(4); edits > 0; edits--) {
            body[random.nextInt(body.length)] = (byte) random.nextInt(256);
        }
        return random.nextInt(3) == 0 ? Arrays.copyOf(body, random.nextInt(body.length)) : body;
    }

    private static void refusedAtMost(Parsing parsing) {
        try {
            parsing.run();
        } catch (ApiFailure e) {
            assertThat(e.status().code()).as(e.status().toString()).isBetween(400, 499);
        } catch (SelectorSyntax e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }
}
