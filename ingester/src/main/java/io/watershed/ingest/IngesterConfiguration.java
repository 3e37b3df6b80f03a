package io.watershed.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.catalogue.ResourceType;
import io.watershed.config.LogConfiguration;
import io.watershed.config.Mapping;
import io.watershed.config.Setting;
import io.watershed.config.Settings;
import io.watershed.ingest.decode.ValueDecoder;
import io.watershed.ingest.etcd.EtcdSettings;
import io.watershed.log.EtcdKey;
import io.watershed.log.ValueHash;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The ingester's settings; docs/configuration.md lists them. */
public final class IngesterConfiguration {
    /** Whether Secrets go into the log. */
    public enum Secrets {
        NONE,
        FULL
    }

    private static final String NOT_YET = "metadata and redacted are not available yet";

    public static final Setting<List<String>> ENDPOINTS = Setting.list(
            "etcd.endpoints", List.of("http://127.0.0.1:2379"), "URLs of etcd's members, in order of preference.");
    public static final Setting<List<String>> PREFIXES = Setting.list(
            "etcd.prefixes", List.of(""), "What of etcd is reflected; an empty prefix is the whole keyspace.");
    public static final Setting<List<String>> EXCLUDE =
            Setting.list("etcd.exclude", List.of("/watershed/"), "Prefixes that are never reflected.");
    public static final Setting<String> USER =
            Setting.text("etcd.user", "", "User for etcd; empty where etcd asks for none.");
    public static final Setting<String> PASSWORD = Setting.secret("etcd.password", "", "Password of etcd.user.");
    public static final Setting<String> ROOT = Setting.text(
            "kubernetes.root",
            "/registry/",
            "Below this prefix keys follow Kubernetes' layout; all others are documents.");
    public static final Setting<List<Mapping>> DOCUMENTS = Setting.mappings(
            "documents",
            List.of("prefix", "group", "version", "plural", "kind"),
            "Resources of your own, each made of the keys below a prefix; docs/documents.md says how.");
    public static final Setting<Secrets> SECRETS = Setting.oneOf(
            "ingester.secrets",
            Secrets.NONE,
            "Whether Secrets are reflected: everyone who can read the topic can read them.",
            Map.of("metadata", NOT_YET, "redacted", NOT_YET));
    public static final Setting<String> LISTEN =
            Setting.text("ingester.listen", "127.0.0.1:8090", "HOST:PORT of health, metrics and the barrier.");
    public static final Setting<String> ADDRESS = Setting.text(
            "ingester.address", "", "URL under which gateways reach the barrier; empty: http:// and ingester.listen.");
    public static final Setting<Long> ACCEPT_DELETES = Setting.number(
            "ingester.acceptDeletes",
            0,
            0,
            Long.MAX_VALUE,
            "How many keys a relist may delete where it would halt for a confirmation (more than 100 and a fifth of all).");

    private static final List<Setting<?>> OWN = List.of(
            ENDPOINTS, PREFIXES, EXCLUDE, USER, PASSWORD, ROOT, DOCUMENTS, SECRETS, LISTEN, ADDRESS, ACCEPT_DELETES);

    /** Every setting that the ingester knows. */
    public static final List<Setting<?>> ALL =
            Stream.concat(LogConfiguration.ALL.stream(), OWN.stream()).toList();

    private IngesterConfiguration() {}

    static EtcdSettings etcd(Settings settings) throws Settings.Invalid {
        List<URI> endpoints = new ArrayList<>();
        for (String endpoint : settings.get(ENDPOINTS)) {
            endpoints.add(endpoint(settings, endpoint));
        }
        List<EtcdKey> exclude = new ArrayList<>(settings.get(EXCLUDE).stream()
                .filter(prefix -> !prefix.isEmpty())
                .map(EtcdKey::utf8)
                .toList());
        if (settings.get(SECRETS) == Secrets.NONE) {
            exclude.add(EtcdKey.utf8(settings.get(ROOT) + "secrets/"));
        }
        String user = settings.get(USER);
        List<String> prefixes = settings.get(PREFIXES);
        return new EtcdSettings(
                endpoints,
                (prefixes.isEmpty() ? List.of("") : prefixes)
                        .stream().map(EtcdKey::utf8).toList(),
                exclude,
                user.isEmpty() ? null : user,
                user.isEmpty() ? null : settings.get(PASSWORD));
    }

    private static URI endpoint(Settings settings, String text) throws Settings.Invalid {
        try {
            URI uri = URI.create(text);
            if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw settings.invalid(ENDPOINTS, "\"" + text + "\" is not http://HOST:PORT or https://HOST:PORT");
    }

    static InetSocketAddress listen(Settings settings) throws Settings.Invalid {
        String text = settings.get(LISTEN);
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            return new InetSocketAddress(text.substring(0, Math.max(0, colon)), port);
        } catch (IllegalArgumentException e) {
            throw settings.invalid(LISTEN, "\"" + text + "\" is not HOST:PORT");
        }
    }

    /** The root of Kubernetes' layout; keys below it begin with it, so it ends with a slash. */
    static EtcdKey root(Settings settings) throws Settings.Invalid {
        String root = settings.get(ROOT);
        if (!root.endsWith("/")) {
            throw settings.invalid(ROOT, "\"" + root + "\" does not end with a slash: write \"" + root + "/\"");
        }
        return EtcdKey.utf8(root);
    }

    /** Of all configuration that decides what stands in the log (N6). */
    static String fingerprint(EtcdSettings etcd, List<ResourceType> documents, Settings settings) {
        String text = "prefixes " + etcd.prefixes() + " exclude " + etcd.exclude() + " root " + settings.get(ROOT)
                + " catalogue 2 codec " + ValueDecoder.CODEC + (documents.isEmpty() ? "" : " documents " + documents);
        return String.format("%016x", ValueHash.of(text.getBytes(UTF_8)));
    }
}
