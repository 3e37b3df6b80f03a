package io.watershed.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.watershed.testkit.ChildProcess;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What clients of other servers have met when they list and watch: cases B28, B29, B30, B32, B34, B35, B37, B39, B40, B41 and B46. etcd was
 * compacted before the ingester started.
 */
final class ReadCasesST {
    private static final String DOCUMENTS = "/apis/watershed.io/v1/keyvalues";

    /** So that the initial state ends with a bookmark. */
    private static final String WITH_INITIAL_STATE =
            "?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";

    @SuppressWarnings("NullAway.Init") // set before any test
    private static Cluster cluster;

    @BeforeAll
    static void start() {
        cluster = Cluster.startServers("--gateway-bookmark-interval=1s");
        cluster.etcd().put(key("before", "a"), "{}");
        cluster.etcd().compact(cluster.etcd().put(key("before", "a"), "{\"data\":{}}"));
        cluster.addIngester();
        cluster.addGateway();
        cluster.awaitReady();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void b28AnObjectComesAndGoesWithItsLabelsAsListsSay() {
        long before = cluster.etcd().head();
        try (HttpWatch watch =
                watch(configMaps("labelled") + "?watch=true&labelSelector=app%3Dx&resourceVersion=" + before)) {
            long added = put("labelled", "a", labels("app", "x"));
            long left = put("labelled", "a", labels("app", "y"));
            assertThat(listed(configMaps("labelled") + "?labelSelector=app%3Dx", left))
                    .isEmpty();
            long back = put("labelled", "a", labels("app", "x"));
            assertThat(listed(configMaps("labelled") + "?labelSelector=app%3Dx", back))
                    .containsExactly("a");
            long gone = put("labelled", "a", labels("app", "y"));
            cluster.etcd().delete(key("labelled", "a"));
            long last = put("labelled", "last", labels("app", "x"));
            watch.awaitEvents(5);

            assertThat(watch.briefs())
                    .containsExactly(
                            "ADDED a " + added,
                            "DELETED a " + left,
                            "ADDED a " + back,
                            "DELETED a " + gone,
                            "ADDED last " + last);
            assertThat(watch.events().get(1).object().at("/metadata/labels/app").asText())
                    .as("what it was before it left")
                    .isEqualTo("x");
        }
    }

    @Test
    void b28AnObjectComesAndGoesWithItsFields() {
        String pods = "/api/v1/namespaces/fields/pods";
        long before = cluster.etcd().head();
        try (HttpWatch watch =
                watch(pods + "?watch=true&fieldSelector=status.phase%3DRunning&resourceVersion=" + before)) {
            phase("Pending");
            long runs = phase("Running");
            long ended = phase("Succeeded");
            assertThat(listed(pods + "?fieldSelector=status.phase%3DRunning", ended))
                    .isEmpty();
            cluster.etcd().delete("/registry/pods/fields/p");
            long again = phase("Running");
            watch.awaitEvents(3);

            assertThat(watch.briefs()).containsExactly("ADDED p " + runs, "DELETED p " + ended, "ADDED p " + again);
        }
    }

    private static long phase(String phase) {
        return cluster.etcd().put("/registry/pods/fields/p", "{\"status\":{\"phase\":\"" + phase + "\"}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0"})
    void b29AWatchBeginsInTheOrderOfKeysAndIsResumedFromAnOldObjectsVersionWithoutLoss(String version) {
        String namespace = "ordered" + version;
        List<String> names = new ArrayList<>();
        for (int i = 100; i < 200; i++) {
            names.add("n" + i);
        }
        Map<String, Long> versions = new LinkedHashMap<>();
        List<String> history = new ArrayList<>();
        names.forEach(name -> versions.put(name, put(namespace, name, "{}")));
        Random random = new Random(29);
        for (int i = 0; i < 100; i++) {
            String name = names.get(random.nextInt(names.size()));
            long revision = put(namespace, name, "{\"data\":{\"i\":\"" + i + "\"}}");
            versions.put(name, revision);
            history.add("MODIFIED " + name + " " + revision);
        }
        awaitWritten();

        List<HttpWatch.Event> cut =
                HttpWatch.firstEvents(url(), configMaps(namespace) + "?watch=true&resourceVersion=" + version, 50);
        assertThat(cut)
                .extracting(HttpWatch.Event::brief)
                .containsExactlyElementsOf(names.subList(0, 50).stream()
                        .map(name -> "ADDED " + name + " " + versions.get(name))
                        .toList());
        long last = cut.get(49).resourceVersion();
        try (HttpWatch resumed = watch(configMaps(namespace) + "?watch=true&resourceVersion=" + last)) {
            history.add("ADDED later " + put(namespace, "later", "{}"));
            List<String> expected = history.stream()
                    .filter(event -> Long.parseLong(event.substring(event.lastIndexOf(' ') + 1)) > last)
                    .toList();
            resumed.awaitEvent(event -> event.name().equals("later"));

            assertThat(resumed.briefs().stream().filter(event -> !event.startsWith("ADDED n")))
                    .containsExactlyElementsOf(expected);
            assertThat(resumed.events()).allMatch(event -> event.resourceVersion() > last);
        }
    }

    @Test
    void b30PagesAreOfOneRevisionFromWhichAWatchMissesNothing() {
        for (int i = 10; i < 45; i++) {
            put("paged", "n" + i, labels("app", "x"));
        }
        awaitWritten();
        List<String> names = new ArrayList<>();
        List<String> changes = new ArrayList<>();
        String first = configMaps("paged") + "?limit=10";
        JsonNode page = json(first);
        String version = page.at("/metadata/resourceVersion").asText();
        String token = page.at("/metadata/continue").asText();
        names.addAll(names(page));
        assertThat(page.at("/metadata/remainingItemCount").asInt()).isEqualTo(25);
        while (!token.isEmpty()) {
            changes.add("ADDED a" + names.size() + " " + put("paged", "a" + names.size(), "{}"));
            changes.add("DELETED n" + (44 - changes.size()) + " "
                    + cluster.etcd().delete(key("paged", "n" + (44 - changes.size()))));
            awaitWritten();
            page = json(first + "&continue=" + token);
            assertThat(page.at("/metadata/resourceVersion").asText()).isEqualTo(version);
            names.addAll(names(page));
            token = page.at("/metadata/continue").asText();
        }

        assertThat(names).hasSize(35).isSorted().allMatch(name -> name.startsWith("n"));
        try (HttpWatch watch = watch(configMaps("paged") + "?watch=true&resourceVersion=" + version)) {
            watch.awaitEvents(changes.size());

            assertThat(watch.briefs()).containsExactlyElementsOf(changes);
        }
    }

    @Test
    void b30ATokenThatWasTamperedWithIsRefusedAndSelectionsAreNotCounted() {
        for (String name : List.of("a", "b", "c")) {
            put("tampered", name, labels("app", "x"));
        }
        awaitWritten();

        JsonNode selected = json(configMaps("tampered") + "?limit=1&labelSelector=app%3Dx");
        String token = selected.at("/metadata/continue").asText();

        assertThat(token).isNotEmpty();
        assertThat(selected.path("metadata").has("remainingItemCount")).isFalse();
        assertThat(status(configMaps("tampered") + "?limit=1&continue=" + token.substring(1)))
                .isEqualTo(400);
        assertThat(status(configMaps("tampered") + "?limit=1&continue=" + token + "&resourceVersion=5"))
                .isEqualTo(400);
    }

    @Test
    void b32AnExpiredVersionIsToldInTheStreamAndAListAndAWatchRecover() {
        try (HttpWatch expired = watch(configMaps("before") + "?watch=true&resourceVersion=1")) {
            expired.awaitEnd();

            assertThat(expired.end()).isEqualTo("clean");
            assertThat(expired.events()).singleElement().matches(HttpWatch.Event::isExpired);
        }
        JsonNode list = json(configMaps("before"));
        assertThat(names(list)).containsExactly("a");
        String version = list.at("/metadata/resourceVersion").asText();
        try (HttpWatch recovered = watch(configMaps("before") + "?watch=true&resourceVersion=" + version)) {
            long next = put("before", "b", "{}");

            assertThat(recovered.awaitEvents(1).briefs()).containsExactly("ADDED b " + next);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"None", "abc", "-1", "1.5", "%20", "99999999999999999999"})
    void b32AVersionThatIsNoneIsTheClientsFault(String version) {
        for (String request : List.of("?resourceVersion=", "?watch=true&resourceVersion=")) {
            Cluster.Answer answer = Cluster.get(url(), configMaps("before") + request + version);

            assertThat(answer.status()).as(request).isEqualTo(400);
            assertThat(answer.json().path("kind").asText()).isEqualTo("Status");
            assertThat(answer.json().path("metadata").isObject()).isTrue();
        }
    }

    @Test
    void b34TheInitialStateEndsWithItsBookmarkWhetherItIsEmptyOrLarge() {
        for (int i = 0; i < 100; i++) {
            List<String> keys = new ArrayList<>();
            for (int j = 0; j < 100; j++) {
                keys.add(key("large", "n%02d%02d".formatted(i, j)));
            }
            cluster.etcd().putTogether(keys, "{}", 0);
        }
        long head = awaitWritten();
        for (Map.Entry<String, Integer> sized :
                Map.of("large", 10_000, "nobody", 0).entrySet()) {
            try (HttpWatch watch = watch(configMaps(sized.getKey()) + WITH_INITIAL_STATE)) {
                HttpWatch.Event end =
                        watch.awaitEvents(sized.getValue() + 1).events().get(sized.getValue());

                assertThat(watch.events().subList(0, sized.getValue()))
                        .allMatch(event -> event.type().equals("ADDED"))
                        .extracting(HttpWatch.Event::name)
                        .isSorted();
                assertThat(end.type()).isEqualTo("BOOKMARK");
                assertThat(end.object()
                                .at("/metadata/annotations/k8s.io~1initial-events-end")
                                .asText())
                        .isEqualTo("true");
                assertThat(end.object().path("kind").asText()).isEqualTo("ConfigMap");
                assertThat(end.object().path("apiVersion").asText()).isEqualTo("v1");
                assertThat(end.resourceVersion()).isGreaterThanOrEqualTo(head);
            }
        }
    }

    @Test
    void b34OptionsThatDoNotGoTogetherAreRefusedBeforeTheStream() {
        assertThat(status(configMaps("nobody") + "?watch=true&allowWatchBookmarks=true&sendInitialEvents=true"))
                .isEqualTo(422);
        assertThat(status(configMaps("nobody") + "?watch=true&resourceVersionMatch=NotOlderThan&resourceVersion=0"))
                .isEqualTo(422);
        assertThat(status(configMaps("nobody") + "?sendInitialEvents=true&resourceVersionMatch=NotOlderThan"))
                .isEqualTo(422);
    }

    @Test
    void b35KubectlsWatchShowsNoBookmark(@TempDir Path home) {
        assumeTrue(Kubectl.binary().isPresent(), "set WATERSHED_KUBECTL, or run bin/verify, which fetches one");
        put("quiet", "a", "{}");
        awaitWritten();
        Kubectl kubectl = new Kubectl(Kubectl.binary().get(), home, url());
        try (ChildProcess shown = kubectl.start("get", "configmaps", "-n", "quiet", "-w", "--output-watch-events");
                HttpWatch asked = watch(configMaps("quiet") + "?watch=true&allowWatchBookmarks=true&resourceVersion="
                        + cluster.etcd().head())) {
            shown.await("its list", () -> shown.output().contains("ADDED"));
            int seen = asked.events().size();
            asked.awaitEvents(seen + 3);
            put("quiet", "b", "{}");
            shown.await("the next object", () -> shown.output().contains("b  "));

            assertThat(shown.output()
                            .lines()
                            .map(line -> line.replaceAll("\\s+", " ").strip()))
                    .containsExactly("EVENT NAME DATA AGE", "ADDED a 0 <unknown>", "ADDED b 0 <unknown>");
            assertThat(asked.events().subList(0, seen + 3)).allSatisfy(bookmark -> {
                assertThat(bookmark.type()).isEqualTo("BOOKMARK");
                assertThat(bookmark.object().fieldNames())
                        .toIterable()
                        .containsExactlyInAnyOrder("kind", "apiVersion", "metadata");
                assertThat(bookmark.object().path("metadata").fieldNames())
                        .toIterable()
                        .contains("resourceVersion")
                        .isSubsetOf("resourceVersion", "creationTimestamp");
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "gzip;q=0", "br, *"})
    void b37AWatchIsNeverCompressed(String encoding) {
        String namespace = "encoded-" + encoding.length();
        try (HttpWatch watch = HttpWatch.open(
                url(),
                configMaps(namespace) + "?watch=true&resourceVersion="
                        + cluster.etcd().head(),
                Map.of("Accept-Encoding", encoding))) {
            long first = put(namespace, "a", "{}");

            assertThat(watch.headers().firstValue("content-encoding").orElse("identity"))
                    .isEqualTo("identity");
            assertThat(watch.awaitEvents(1).briefs()).containsExactly("ADDED a " + first);
            long second = put(namespace, "b", "{}");
            assertThat(watch.awaitEvents(2).briefs()).containsExactly("ADDED a " + first, "ADDED b " + second);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "env!=prod | empty none slash",
                "env notin (prod) | empty none slash",
                "env in (prod,) | empty prod",
                "env notin () | none prod slash",
                "!env | none slash",
                "env | empty prod",
                "env= | empty",
                "env==prod | prod",
                "env in (a),env in (b) |",
                "x>1 | prod",
                "x<3 |",
                "env =  prod  | prod",
                "a.b/c in (1) | slash",
            })
    void b39SetBasedSelectorsChooseTheSameInListsAndWatches(String selector, @Nullable String names) {
        put("chosen", "none", "{}");
        put("chosen", "empty", labels("env", ""));
        put("chosen", "prod", "{\"metadata\":{\"labels\":{\"env\":\"prod\",\"x\":\"5\"}}}");
        put("chosen", "slash", labels("a.b/c", "1"));
        awaitWritten();
        List<String> expected = names == null ? List.of() : List.of(names.split(" "));
        String query = "labelSelector=" + encoded(selector);

        assertThat(names(json(configMaps("chosen") + "?" + query))).isEqualTo(expected);
        try (HttpWatch watch = watch(configMaps("chosen") + WITH_INITIAL_STATE + "&" + query)) {
            watch.awaitEvents(expected.size() + 1);

            assertThat(watch.events().subList(0, expected.size()))
                    .extracting(HttpWatch.Event::name)
                    .isEqualTo(expected);
            assertThat(watch.events().get(expected.size()).type()).isEqualTo("BOOKMARK");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",",
                "env in",
                "env=é",
                "-x",
                "a=1234567890123456789012345678901234567890123456789012345678901234"
            })
    void b39MalformedSelectorsAreRefused(String selector) {
        for (String request : List.of("?", "?watch=true&")) {
            assertThat(status(configMaps("chosen") + request + "labelSelector=" + encoded(selector)))
                    .as(request)
                    .isEqualTo(400);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"a\\,b | comma", "a\\=b | equals", "a\\\\b | backslash"})
    void b40EscapesInFieldSelectorsStandForTheirCharacter(String written, String name) {
        cluster.etcd().put("/escapes/comma", "a,b");
        cluster.etcd().put("/escapes/equals", "a=b");
        cluster.etcd().put("/escapes/backslash", "a\\b");
        awaitWritten();

        assertThat(names(json(DOCUMENTS + "?fieldSelector=" + encoded("spec.value=" + written))))
                .containsExactly("%2Fescapes%2F" + name);
        try (HttpWatch watch =
                watch(DOCUMENTS + WITH_INITIAL_STATE + "&fieldSelector=" + encoded("spec.value=" + written))) {
            assertThat(watch.awaitEvents(2).events().get(0).name()).isEqualTo("%2Fescapes%2F" + name);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/v1/configmaps | metadata.name=a\\b | invalid escape sequence",
                "/api/v1/configmaps | metadata.name=a,b | can't understand 'b'",
                "/api/v1/configmaps | data.k=v | \"data.k\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"",
                "/api/v1/pods | data.k=v | field label not supported: data.k",
            })
    void b40FieldSelectorsThatSayNothingAreRefusedInTheWordsOfTheirResource(
            String path, String selector, String message) {
        for (String request : List.of("?", "?watch=true&")) {
            Cluster.Answer answer = Cluster.get(url(), path + request + "fieldSelector=" + encoded(selector));

            assertThat(answer.status()).as(request).isEqualTo(400);
            assertThat(answer.json().path("message").asText()).contains(message);
        }
    }

    @Test
    void b40NamesAndNamespacesAreChosenAndTheFirstOfRepeatedParametersCounts() {
        put("fielded", "a", "{}");
        put("fielded", "b", "{}");
        put("fielded-too", "a", "{}");
        awaitWritten();
        String all = "/api/v1/configmaps?fieldSelector=";

        assertThat(names(json(configMaps("fielded") + "?fieldSelector=metadata.name!%3Da")))
                .containsExactly("b");
        assertThat(names(json(all + "metadata.namespace%3Dfielded"))).containsExactly("a", "b");
        assertThat(names(json(all + "metadata.namespace%3Dfielded,metadata.name%3Db")))
                .containsExactly("b");
        assertThat(names(json(all + "metadata.namespace%3Dfielded-too&fieldSelector=metadata.name%3Db")))
                .containsExactly("a");
    }

    @ParameterizedTest
    @CsvSource({
        "'', list",
        "watch=0, list",
        "watch=False, list",
        "watch=false&watch=true, list",
        "watch, watch",
        "watch=, watch",
        "watch=True, watch",
        "watch=no, watch",
        "watch=true&watch=false, watch",
        "limit=-1, list",
        "limit=abc, 400",
        "timeoutSeconds=3.5, 400",
        "timeoutSeconds=1e3, 400",
        "timeoutSeconds=9223372036854775808, 400",
        "foo=bar, list",
        "pretty=true, list",
    })
    void b41ParametersMeanWhatTheyDoInKubernetes(String query, String meaning) {
        put("asked", "a", "{}");
        awaitWritten();
        // A negative time ends a watch at once, so that its answer can be read whole.
        Cluster.Answer answer = Cluster.get(
                url(), configMaps("asked") + "?" + query + (query.contains("timeout") ? "" : "&timeoutSeconds=-1"));

        switch (meaning) {
            case "list" -> assertThat(answer.json().path("kind").asText()).isEqualTo("ConfigMapList");
            case "watch" -> assertThat(answer.body()).doesNotContain("ConfigMapList");
            default -> assertThat(answer.status()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "9223372036", "9223372037", "9223372036854775807"})
    void b41AHugeTimeIsNotOverflown(String seconds) {
        String namespace = "time-" + seconds;
        try (HttpWatch watch = watch(configMaps(namespace) + "?watch=true&timeoutSeconds=" + seconds)) {
            long put = put(namespace, "a", "{}");

            assertThat(watch.awaitEvents(1).briefs()).containsExactly("ADDED a " + put);
            assertThat(watch.end()).isNull();
        }
    }

    @Test
    void b41TooManyParametersAreRefusedAndDoNoHarm() {
        int answer = status(configMaps("asked") + "?" + "foo=bar&".repeat(300));

        assertThat(answer).isIn(200, 400, 414, 431);
        assertThat(status(configMaps("asked"))).isEqualTo(200);
    }

    @Test
    void b46APathIsReadInOneFormHoweverItIsWritten() {
        cluster.etcd().put(key("canonical", "a"), "{}");
        cluster.etcd().put("/registry/clusterroles/system:node", "{}");
        awaitWritten();
        String plain = Cluster.get(url(), configMaps("canonical") + "/a").body();

        assertThat(Cluster.get(url(), "/api/v1/namespaces/canonical/%63onfigmaps/%61")
                        .body())
                .isEqualTo(plain);
        assertThat(status("/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node"))
                .isEqualTo(200);
        assertThat(status("/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode"))
                .isEqualTo(200);
        for (String elsewhere : List.of(
                "//api//v1/namespaces/canonical/configmaps",
                "/api/v1/namespaces/canonical/pods/..%2fconfigmaps",
                "/api/v1/namespaces/canonical/pods/..%2f..%2fcanonical%2fconfigmaps%2fa",
                "/api/v1/namespaces/canonical/configmaps/%2561",
                "/api/v1/namespaces/canonical/configmaps;x=1",
                "/api/v1/namespaces/canonical/configmaps/a;x=1")) {
            assertThat(status(elsewhere)).as(elsewhere).isIn(400, 404);
        }
        for (String malformed : List.of("/a%00", "/%c0%ae", "/%ff")) {
            assertThat(status(configMaps("canonical") + malformed))
                    .as(malformed)
                    .isEqualTo(400);
        }
    }

    private static String url() {
        return cluster.gateway(0).url();
    }

    private static HttpWatch watch(String path) {
        return HttpWatch.open(url(), path);
    }

    private static JsonNode json(String path) {
        return Cluster.get(url(), path).json();
    }

    private static int status(String path) {
        return Cluster.get(url(), path).status();
    }

    private static List<String> listed(String path, long revision) {
        return names(Cluster.listAt(cluster.gateway(0), path, revision).json());
    }

    private static List<String> names(JsonNode list) {
        return StreamSupport.stream(list.path("items").spliterator(), false)
                .map(item -> item.at("/metadata/name").asText())
                .toList();
    }

    private static String configMaps(String namespace) {
        return "/api/v1/namespaces/" + namespace + "/configmaps";
    }

    private static String key(String namespace, String name) {
        return "/registry/configmaps/" + namespace + "/" + name;
    }

    private static long put(String namespace, String name, String value) {
        return cluster.etcd().put(key(namespace, name), value);
    }

    private static String labels(String name, String value) {
        return "{\"metadata\":{\"labels\":{\"" + name + "\":\"" + value + "\"}}}";
    }

    private static String encoded(String selector) {
        return URLEncoder.encode(selector, UTF_8);
    }

    /** Reads that follow show all that was written. */
    private static long awaitWritten() {
        long head = cluster.etcd().head();
        Cluster.listAt(cluster.gateway(0), configMaps("none"), head);
        return head;
    }
}
