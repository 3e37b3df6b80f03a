package io.watershed.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.watershed.catalogue.KeyPattern;
import io.watershed.catalogue.ResourceType;
import io.watershed.config.LogConfiguration;
import io.watershed.config.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentsConfigurationTest {
    private static final String FLAGS = item("/flags/{name}", "flags.example.com", "v1", "flags", "Flag");

    private static String item(String prefix, String group, String version, String plural, String kind) {
        return String.format(
                "{prefix: \"%s\", group: %s, version: %s, plural: %s, kind: %s}", prefix, group, version, plural, kind);
    }

    private static Settings settings(String... arguments) throws Settings.Invalid {
        return Settings.load(
                IngesterConfiguration.ALL, List.of(LogConfiguration.PROPERTIES), List.of(arguments), Map.of());
    }

    private static List<ResourceType> documents(String items, String... more) throws Settings.Invalid {
        List<String> arguments = new ArrayList<>(List.of(more));
        arguments.add("--documents=[" + items + "]");
        Settings settings = settings(arguments.toArray(new String[0]));
        return DocumentsConfiguration.of(settings, IngesterConfiguration.etcd(settings));
    }

    @Test
    void sixLinesOfYamlMakeAResource(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("ingester.yaml"), """
                documents:
                  - prefix: /flags/{namespace}/{name}
                    group: flags.example.com
                    version: v1
                    plural: flags
                    kind: Flag
                """);
        Settings settings = settings("--config", file.toString());

        assertThat(DocumentsConfiguration.of(settings, IngesterConfiguration.etcd(settings)))
                .containsExactly(ResourceType.document(
                        "flags.example.com", "v1", "Flag", "flags", new KeyPattern("/flags/", true)));
    }

    @Test
    void aPrefixAloneNamesItsKeysByTheirRest() throws Exception {
        assertThat(documents(item("/flags/", "flags.example.com", "v1", "flags", "Flag")))
                .isEqualTo(documents(FLAGS));
        assertThat(documents(FLAGS).get(0).namespaced()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/a/{name} | x.example.com | v1 | Flags  | Flag | documents.plural is \"Flags\" and must be a DNS label",
                "/a/{name} | x.example.com | v1 | a_b    | Flag | documents.plural is \"a_b\" and must be a DNS label",
                "/a/{name} | x.example.com | v1 | watch  | Flag | documents.plural is \"watch\" and has a meaning of its own",
                "/a/{name} | x.example.com | V1 | flags  | Flag | documents.version is \"V1\" and must be a DNS label",
                "/a/{name} | x.example.com | v1 | flags  | flag | documents.kind is \"flag\" and must be a word",
                "/a/{name} | example       | v1 | flags  | Flag | documents.group is \"example\" and must be a domain name",
                "/a/{name} | a..b          | v1 | flags  | Flag | documents.group is \"a..b\" and must be a domain name",
                "/a/{name} | batch         | v1 | flags  | Flag | documents.group is \"batch\" and must be a domain name",
                "/a/{name} | networking.k8s.io | v1 | flags | Flag | documents.group is \"networking.k8s.io\" and is Kubernetes' own",
                "/a/{name} | x.kubernetes.io | v1 | flags | Flag | documents.group is \"x.kubernetes.io\" and is Kubernetes' own",
                "/a/{name} | watershed.io  | v1 | flags  | Flag | documents.group is \"watershed.io\" and is Watershed's own",
                "/registry/x/{name} | x.example.com | v1 | flags | Flag | lies below kubernetes.root, /registry/",
                "/watershed/x/ | x.example.com | v1 | flags | Flag | is never read, since etcd.exclude has /watershed/",
                "/a | x.example.com | v1 | flags | Flag | (write \"/a/\")",
                "/a/{namespace}/ | x.example.com | v1 | flags | Flag | must go on with {name}",
                "/{namespace}/flags/{name} | x.example.com | v1 | flags | Flag | other places for them are not understood",
                "{name} | x.example.com | v1 | flags | Flag | must begin with a prefix",
            })
    void aMistakeIsNamedWithItsRemedy(
            String prefix, String group, String version, String plural, String kind, String message) {
        assertThatThrownBy(() -> documents(item(prefix, group, version, plural, kind)))
                .isInstanceOf(Settings.Invalid.class)
                .hasMessageStartingWith("flag --documents: documents.")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/flags/beta/{name} | x.example.com     | betas | Beta | overlaps with \"/flags/{name}\"",
                "/{name}            | x.example.com     | betas | Beta | overlaps with \"/flags/{name}\"",
                "/betas/{name}      | flags.example.com | flags | Beta | names flags.flags.example.com a second time",
                "/betas/{name}      | flags.example.com | betas | Flag | is the kind of flags.flags.example.com already",
                "/betas/{name}      | flags.example.com | betas | Flags | in lower case is the plural of flags.flags.example.com",
            })
    void twoResourcesMustBeApart(String prefix, String group, String plural, String kind, String message) {
        assertThatThrownBy(() -> documents(FLAGS + "," + item(prefix, group, "v1", plural, kind)))
                .isInstanceOf(Settings.Invalid.class)
                .hasMessageContaining(message);
    }

    @Test
    void aPrefixThatIsNotReflectedIsRefused() {
        assertThatThrownBy(() -> documents(FLAGS, "--etcd-prefixes=/registry/"))
                .hasMessageContaining("is outside of etcd.prefixes, [/registry/]: add it there");
    }

    @Test
    void theyAreInTheFingerprintAndNoneLeavesItAsItWas() throws Exception {
        Settings settings = settings();
        var etcd = IngesterConfiguration.etcd(settings);

        assertThat(IngesterConfiguration.fingerprint(etcd, List.of(), settings))
                .isNotEqualTo(IngesterConfiguration.fingerprint(etcd, documents(FLAGS), settings));
        assertThat(IngesterConfiguration.fingerprint(etcd, documents(FLAGS), settings))
                .isNotEqualTo(IngesterConfiguration.fingerprint(
                        etcd,
                        documents(item("/flags/{name}", "flags.example.com", "v1", "flags", "Toggle")),
                        settings));
    }
}
