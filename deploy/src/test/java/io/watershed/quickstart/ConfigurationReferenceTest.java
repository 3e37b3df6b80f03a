package io.watershed.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.config.LogConfiguration;
import io.watershed.config.Setting;
import io.watershed.gateway.GatewayConfiguration;
import io.watershed.ingest.IngesterConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/configuration.md says what the code says; {@code -Dwatershed.docs.write=true} writes it. */
class ConfigurationReferenceTest {
    private static final String BEGIN = "<!-- The tables below are written by ConfigurationReferenceTest. -->\n";
    private static final Path FILE = Path.of("../docs/configuration.md");

    @Test
    void listsEverySettingWithItsNamesTypeDefaultAndMeaning() throws IOException {
        String text = Files.readString(FILE);
        String prose = text.substring(0, text.indexOf(BEGIN) + BEGIN.length());
        String tables = section("The log: ingester and gateways", LogConfiguration.ALL)
                + "Everything under `kafka.properties` goes to every Kafka client as it stands, as in\n"
                + "`--kafka-properties-security-protocol=SASL_SSL`, `WATERSHED_KAFKA_PROPERTIES_SASL_MECHANISM` or, in YAML,\n"
                + "`kafka: {properties: {sasl.jaas.config: …}}`. What the log's safety rests on cannot be changed there.\n"
                + section("Ingester", without(IngesterConfiguration.ALL))
                + section("Gateway", without(GatewayConfiguration.ALL));

        if (Boolean.getBoolean("watershed.docs.write")) {
            Files.writeString(FILE, prose + tables);
        }

        assertThat(Files.readString(FILE))
                .as("write it anew: mvn -pl deploy -am test -Dtest=ConfigurationReferenceTest"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -Dwatershed.docs.write=true")
                .isEqualTo(prose + tables);
    }

    private static List<Setting<?>> without(List<Setting<?>> settings) {
        return settings.stream()
                .filter(setting -> !LogConfiguration.ALL.contains(setting))
                .toList();
    }

    private static String section(String title, List<Setting<?>> settings) {
        return "\n## " + title + "\n\n| Setting | Type | Default | Meaning |\n|---|---|---|---|\n"
                + settings.stream().map(ConfigurationReferenceTest::row).collect(Collectors.joining())
                + "\n";
    }

    private static String row(Setting<?> setting) {
        String value = setting.isSecret() || setting.defaultText().isEmpty() ? "" : "`" + setting.defaultText() + "`";
        return "| `" + setting.name() + "`<br>`" + setting.flagName() + "`<br>`" + setting.environmentName() + "` | "
                + setting.type() + " | " + value + " | " + setting.doc().replace("|", "\\|") + " |\n";
    }
}
