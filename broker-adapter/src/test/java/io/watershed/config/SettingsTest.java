package io.watershed.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    private enum Mode {
        NONE,
        FULL_COPY
    }

    private static final Setting<String> TOPIC = Setting.text("kafka.topic.name", "watershed", "The topic.");
    private static final Setting<String> SERVERS = Setting.text("kafka.bootstrapServers", "127.0.0.1:9092", "Brokers.");
    private static final Setting<List<String>> ENDPOINTS =
            Setting.list("etcd.endpoints", List.of("http://127.0.0.1:2379"), "Endpoints.");
    private static final Setting<String> PASSWORD = Setting.text("etcd.password", "", "Password.");
    private static final Setting<Duration> WINDOW =
            Setting.duration("kafka.topic.window", Duration.ofHours(1), Duration.ofSeconds(1), "Window.");
    private static final Setting<Long> BYTES = Setting.size("gateway.history.bytes", 256 << 20, 1 << 20, "Memory.");
    private static final Setting<Long> LOOPS = Setting.number("gateway.loops", 0, 0, 64, "Event loops.");
    private static final Setting<Boolean> OPEN = Setting.flag("gateway.openToAll", false, "Open.");
    private static final Setting<Mode> MODE = Setting.oneOf("ingester.secrets", Mode.NONE, "Secrets.");
    private static final Setting<List<Mapping>> DOCUMENTS =
            Setting.mappings("documents", List.of("prefix", "kind"), "Documents.");
    private static final List<Setting<?>> KNOWN =
            List.of(TOPIC, SERVERS, ENDPOINTS, PASSWORD, WINDOW, BYTES, LOOPS, OPEN, MODE, DOCUMENTS);

    @TempDir
    Path directory;

    @Test
    void takesTheDefaultsWhenNothingIsGiven() throws Exception {
        Settings settings = load();

        assertThat(settings.get(TOPIC)).isEqualTo("watershed");
        assertThat(settings.get(ENDPOINTS)).containsExactly("http://127.0.0.1:2379");
        assertThat(settings.get(MODE)).isEqualTo(Mode.NONE);
        assertThat(settings.place(TOPIC)).isEqualTo("default");
        assertThat(settings.map("kafka.properties")).isEmpty();
    }

    @Test
    void prefersFlagsToTheEnvironmentToTheFileToTheDefault() throws Exception {
        Path file = yaml("kafka:\n  topic: {name: from-file, window: 2h}\n  bootstrapServers: file:1\n");
        Map<String, String> environment = Map.of(
                "WATERSHED_CONFIG", file.toString(),
                "WATERSHED_KAFKA_TOPIC_NAME", "from-environment",
                "WATERSHED_KAFKA_BOOTSTRAP_SERVERS", "environment:1");

        Settings settings = load(environment, "--kafka-topic-name=from-flag");

        assertThat(settings.get(TOPIC)).isEqualTo("from-flag");
        assertThat(settings.place(TOPIC)).isEqualTo("flag --kafka-topic-name");
        assertThat(settings.get(SERVERS)).isEqualTo("environment:1");
        assertThat(settings.place(SERVERS)).isEqualTo("environment variable WATERSHED_KAFKA_BOOTSTRAP_SERVERS");
        assertThat(settings.get(WINDOW)).isEqualTo(Duration.ofHours(2));
        assertThat(settings.place(WINDOW)).isEqualTo(file + " line 2");
    }

    @Test
    void understandsBothWaysToWriteAFlag() throws Exception {
        Settings settings =
                load(Map.of(), "--kafka-topic-name", "a", "--kafka-bootstrap-servers=b:1", "--gateway-open-to-all");

        assertThat(settings.get(TOPIC)).isEqualTo("a");
        assertThat(settings.get(SERVERS)).isEqualTo("b:1");
        assertThat(settings.get(OPEN)).isTrue();
        assertThat(load(Map.of(), "--gateway-open-to-all", "false").get(OPEN)).isFalse();
    }

    @Test
    void readsListsFromYamlAndFromTexts() throws Exception {
        Path file = yaml("etcd:\n  endpoints:\n    - http://a:1\n    - http://b:1\n");

        assertThat(load(Map.of(), "--config", file.toString()).get(ENDPOINTS))
                .containsExactly("http://a:1", "http://b:1");
        assertThat(load(Map.of(), "--etcd-endpoints", "http://a:1, http://b:1").get(ENDPOINTS))
                .containsExactly("http://a:1", "http://b:1");
        assertThat(load(Map.of(), "--etcd-endpoints=").get(ENDPOINTS)).isEmpty();
    }

    @Test
    void readsMappingsFromYamlWithTheirLinesAndFromOneLine() throws Exception {
        Path file = yaml("documents:\n  - prefix: /a/{name}\n    kind: A\n  - {kind: B, prefix: \"/b/{name}\"}\n");

        List<Mapping> read = load(Map.of(), "--config", file.toString()).get(DOCUMENTS);
        Settings flag = load(Map.of(), "--documents", "[{prefix: \"/a/{name}\", kind: A}]");

        assertThat(read)
                .containsExactly(
                        new Mapping(Map.of("prefix", "/a/{name}", "kind", "A"), file + " line 2"),
                        new Mapping(Map.of("prefix", "/b/{name}", "kind", "B"), file + " line 4"));
        assertThat(flag.get(DOCUMENTS))
                .containsExactly(new Mapping(Map.of("prefix", "/a/{name}", "kind", "A"), "flag --documents"));
        assertThat(flag.print()).contains("documents = [{prefix: \"/a/{name}\", kind: \"A\"}] (flag --documents)");
        assertThat(load(Map.of("WATERSHED_DOCUMENTS", "")).get(DOCUMENTS)).isEmpty();
        assertThat(load().get(DOCUMENTS)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "documents: [{prefix: a}] | line 1: an item of documents lacks kind; it needs prefix, kind",
                "documents: [{prefix: a, kind: b, kinds: c}] | documents has no member kinds; did you mean kind?",
                "documents: [{prefix: a, kind: [b]}] | documents.kind must hold plain values here",
                "documents: [{prefix: a, kind: b, prefix: c}] | documents.prefix is given twice in one item",
                "documents: [{prefix: a, kind: b}, c] | documents must hold mappings only, as its other items",
                "documents: [a, b] | documents must be a list of mappings with prefix, kind",
                "documents: a | documents must be a list of mappings, as [{prefix: \"/a/{name}\"}]",
                "etcd.endpoints: [{a: b}] | etcd.endpoints must hold plain values, not mappings",
            })
    void refusesMappingsThatAreNotAsTheSettingSays(String line, String message) throws Exception {
        Path file = yaml(line + "\n");

        assertThatThrownBy(() -> load(Map.of(), "--config", file.toString()))
                .isInstanceOf(Settings.Invalid.class)
                .hasMessageStartingWith(file + " line 1: ")
                .hasMessageContaining(message);
    }

    @Test
    void saysHowToQuoteBracesInOneLine() {
        assertThatThrownBy(() -> load(Map.of(), "--documents", "[{prefix: /a/{name}, kind: A}]"))
                .hasMessageStartingWith("flag --documents: documents is not YAML")
                .hasMessageContaining("quote what holds braces");
    }

    @Test
    void keepsTheDotsOfAnOpenMapsKeys() throws Exception {
        Path file = yaml("kafka.properties:\n  sasl.mechanism: PLAIN\n  ssl: {protocol: TLSv1.3}\n");
        Map<String, String> environment = Map.of("WATERSHED_KAFKA_PROPERTIES_SASL_JAAS_CONFIG", "module;");

        Settings settings =
                load(environment, "--config", file.toString(), "--kafka-properties-security-protocol", "SASL_SSL");

        assertThat(settings.map("kafka.properties"))
                .containsExactly(
                        Map.entry("sasl.jaas.config", "module;"),
                        Map.entry("sasl.mechanism", "PLAIN"),
                        Map.entry("security.protocol", "SASL_SSL"),
                        Map.entry("ssl.protocol", "TLSv1.3"));
    }

    @Test
    void readsAValueFromTheFileThatTheEnvironmentNames() throws Exception {
        Path secret = Files.writeString(directory.resolve("password"), "s3cret \n");

        Settings settings = load(Map.of("WATERSHED_ETCD_PASSWORD_FILE", secret.toString()));

        assertThat(settings.get(PASSWORD)).isEqualTo("s3cret ");
    }

    @Test
    void refusesAValueTogetherWithItsFile() {
        Map<String, String> environment =
                Map.of("WATERSHED_ETCD_PASSWORD_FILE", "/nowhere", "WATERSHED_ETCD_PASSWORD", "x");

        assertThatThrownBy(() -> load(environment))
                .isInstanceOf(Settings.Invalid.class)
                .hasMessage("environment variable WATERSHED_ETCD_PASSWORD_FILE: is given together with"
                        + " WATERSHED_ETCD_PASSWORD; remove one");
    }

    @Test
    void namesTheFileThatCannotBeRead() {
        String missing = directory.resolve("missing").toString();

        assertThatThrownBy(() -> load(Map.of("WATERSHED_ETCD_PASSWORD_FILE", missing)))
                .isInstanceOf(Settings.Invalid.class)
                .hasMessageStartingWith("environment variable WATERSHED_ETCD_PASSWORD_FILE: the file " + missing);
        assertThatThrownBy(() -> load(Map.of(), "--config", missing)).hasMessageContaining(missing);
    }

    @Test
    void namesTheNearestKeyForAnUnknownOne() throws IOException {
        Path file = yaml("# a comment\nkafka:\n  topic:\n    nam: x\n");

        assertThatThrownBy(() -> load(Map.of(), "--config", file.toString()))
                .isInstanceOf(Settings.Invalid.class)
                .hasMessage(file + " line 4: there is no key kafka.topic.nam; did you mean kafka.topic.name?");
        assertThatThrownBy(() -> load(Map.of("WATERSHED_KAFKA_TOPIC", "x")))
                .hasMessage("environment variable WATERSHED_KAFKA_TOPIC: no such setting;"
                        + " did you mean WATERSHED_KAFKA_TOPIC_NAME?");
        assertThatThrownBy(() -> load(Map.of(), "--kafka-topic-nmae=x"))
                .hasMessage("flag --kafka-topic-nmae: no such flag; did you mean --kafka-topic-name? (see --help)");
    }

    @Test
    void refusesAKeyThatIsGivenTwice() throws IOException {
        Path nested = yaml("kafka:\n  topic:\n    name: a\n    name: b\n");

        assertThatThrownBy(() -> load(Map.of(), "--config", nested.toString()))
                .hasMessage(nested + " line 4: kafka.topic.name is given twice; the other is at " + nested + " line 3");
        assertThatThrownBy(() -> load(Map.of(), "--kafka-topic-name=a", "--kafka-topic-name=b"))
                .hasMessage("flag --kafka-topic-name: is given twice; remove one");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kafka: [|1|is not YAML",
                "- a|1|must hold keys",
                "kafka:\\n  topic: {name: }|2|kafka.topic.name has no value",
                "kafka:\\n  topic: {name: [a]}|2|must be one value, not a list",
                "kafka: {topic: {window: 5}}|1|kafka.topic.window is \"5\" and must be a duration with its unit",
                "kafka: {properties: {a: [b]}}|1|kafka.properties.a must be a text, not a list",
                "kafka: text|1|there is no key kafka"
            })
    void namesFileAndLineOfAMistake(String yaml, int line, String problem) throws IOException {
        Path file = yaml(yaml.replace("\\n", "\n"));

        assertThatThrownBy(() -> load(Map.of(), "--config", file.toString()))
                .isInstanceOf(Settings.Invalid.class)
                .hasMessageStartingWith(file + " line " + line + ": ")
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @CsvSource({"100ms,100", "30s,30000", "5m,300000", "1h,3600000", "1d,86400000"})
    void readsDurationsWithTheirUnit(String text, long millis) throws Exception {
        Setting<Duration> any = Setting.duration("a", Duration.ZERO, Duration.ZERO, "");

        assertThat(any.parse(text)).isEqualTo(Duration.ofMillis(millis));
        assertThat(any.parse(any.write(any.parse(text)))).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({"512B,512", "64KiB,65536", "64MiB,67108864", "2GiB,2147483648"})
    void readsSizesWithTheirUnit(String text, long bytes) {
        Setting<Long> any = Setting.size("a", 0, 0, "");

        assertThat(any.parse(text)).isEqualTo(bytes);
        assertThat(any.write(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"64", "64MB", "-1MiB", "1.5MiB", "MiB", "", "64 MiB", "9999999999999GiB", "512KiB"})
    void refusesOtherSizes(String text) {
        assertThatThrownBy(() -> load(Map.of(), "--gateway-history-bytes=" + text))
                .isInstanceOf(Settings.Invalid.class)
                .hasMessageStartingWith("flag --gateway-history-bytes: gateway.history.bytes is \"" + text + "\" and ");
    }

    @ParameterizedTest
    @CsvSource({
        "--gateway-loops=65,must be 0 to 64",
        "--gateway-loops=x,must be a whole number",
        "--gateway-open-to-all=yes,must be true or false",
        "--ingester-secrets=all,must be none or full-copy",
        "--kafka-topic-window=1ms,must be at least 1s",
        "'--etcd-endpoints=a,,b',has an empty item between its commas",
        "--kafka-topic-name,has no value; write --kafka-topic-name=VALUE",
        "start,only flags are understood"
    })
    void saysWhatAValueMustBe(String argument, String problem) {
        assertThatThrownBy(() -> load(Map.of(), argument))
                .isInstanceOf(Settings.Invalid.class)
                .hasMessageContaining(problem);
    }

    @Test
    void readsAnEnumInLowerCaseWithDashes() throws Exception {
        assertThat(load(Map.of(), "--ingester-secrets=full-copy").get(MODE)).isEqualTo(Mode.FULL_COPY);
    }

    @Test
    void leavesVariablesAloneThatKubernetesSetsForServices() throws Exception {
        Map<String, String> environment = Map.of(
                "WATERSHED_GATEWAY_SERVICE_HOST", "10.0.0.1",
                "WATERSHED_GATEWAY_SERVICE_PORT_HTTP", "80",
                "WATERSHED_GATEWAY_PORT", "tcp://10.0.0.1:80",
                "WATERSHED_GATEWAY_PORT_80_TCP_ADDR", "10.0.0.1",
                "HOME", "/root");

        assertThat(load(environment).get(TOPIC)).isEqualTo("watershed");
        assertThatThrownBy(() -> load(Map.of("WATERSHED_GATEWAY_PORT", "80"))).isInstanceOf(Settings.Invalid.class);
    }

    @Test
    void printsValuesWithTheirOriginAndMasksSecrets() throws Exception {
        Settings settings = load(
                Map.of("WATERSHED_KAFKA_PROPERTIES_SASL_JAAS_CONFIG", "password=hunter2"),
                "--etcd-password=hunter2",
                "--kafka-topic-window=90m",
                "--kafka-properties-client-dns-lookup=resolve_canonical_bootstrap_servers_only");

        assertThat(settings.print())
                .contains("kafka.topic.name = watershed (default)\n")
                .contains("kafka.topic.window = 90m (flag --kafka-topic-window)\n")
                .contains("gateway.history.bytes = 256MiB (default)\n")
                .contains("etcd.password = ******** (flag --etcd-password)\n")
                .contains("kafka.properties.client.dns.lookup = resolve_canonical_bootstrap_servers_only")
                .contains("kafka.properties.sasl.jaas.config = ******** (environment variable")
                .doesNotContain("hunter2");
    }

    @Test
    void namesThePlaceOfAMistakeThatOnlyTheProcessSees() throws Exception {
        Settings settings = load(Map.of(), "--kafka-topic-name=a/b");

        assertThat(settings.invalid(TOPIC, "must not hold a slash"))
                .hasMessage("flag --kafka-topic-name: kafka.topic.name is \"a/b\" and must not hold a slash");
    }

    @Test
    void refusesASettingThatWasNotLoaded() throws Exception {
        Settings settings = load();
        Setting<String> other = Setting.text("other", "", "");

        assertThatThrownBy(() -> settings.get(other)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> settings.map("other")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void helpNamesEveryFlagWithItsTypeAndDefault() {
        String help = Settings.help("Watershed.", KNOWN, List.of("kafka.properties"));

        assertThat(help)
                .contains("--kafka-topic-window  (duration, at least 1s; default 1h)\n      Window.\n")
                .contains("--etcd-password  (text)\n")
                .contains("--ingester-secrets  (none or full-copy; default none)")
                .contains("--kafka-properties-ANY-KEY")
                .contains("--config FILE");
        assertThat(KNOWN).allSatisfy(setting -> assertThat(help).contains(setting.flagName() + "  ("));
    }

    @Test
    void loadsTheLogsConfiguration() throws Exception {
        Settings settings = Settings.load(
                LogConfiguration.ALL,
                List.of(LogConfiguration.PROPERTIES),
                List.of("--kafka-topic-single-broker", "--kafka-properties-client-id=x"),
                Map.of());

        assertThat(LogConfiguration.of(settings).singleBroker()).isTrue();
        assertThat(LogConfiguration.of(settings).clientProperties()).containsEntry("client.id", "x");
    }

    private static Settings load(Map<String, String> environment, String... arguments) throws Settings.Invalid {
        return Settings.load(KNOWN, List.of("kafka.properties"), List.of(arguments), environment);
    }

    private static Settings load() throws Settings.Invalid {
        return load(Map.of());
    }

    private Path yaml(String content) throws IOException {
        return Files.writeString(directory.resolve("watershed.yaml"), content);
    }
}
