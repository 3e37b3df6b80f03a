package io.watershed.gateway;

import io.watershed.config.LogConfiguration;
import io.watershed.config.Setting;
import io.watershed.config.Settings;
import io.watershed.gateway.api.Extension;
import io.watershed.gateway.fanout.FanoutSettings.Undecodable;
import io.watershed.gateway.http.ServerSettings;
import io.watershed.gateway.http.TlsFiles;
import io.watershed.gateway.http.TlsSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The gateway's settings; docs/configuration.md lists them. */
public final class GatewayConfiguration {
    public static final Setting<String> LISTEN =
            Setting.text("gateway.listen", "127.0.0.1:8080", "HOST:PORT of the API, health and metrics.");
    public static final Setting<Boolean> OPEN_TO_ALL = Setting.flag(
            "gateway.openToAll",
            false,
            "Allow an address that is not loopback: everyone who reaches it can then read everything.");
    public static final Setting<Long> LOOPS =
            Setting.number("gateway.loops", 0, 0, 1024, "Event loops; 0 takes one a core.");
    public static final Setting<Duration> BOOKMARK_INTERVAL = Setting.duration(
            "gateway.bookmarkInterval",
            Duration.ofSeconds(30),
            Duration.ofSeconds(1),
            "The longest that a watch which allows bookmarks goes without one.");
    public static final Setting<Duration> IMAGE_WINDOW = Setting.duration(
            "gateway.imageWindow",
            Duration.ofMinutes(5),
            Duration.ZERO,
            "How far back exact lists and continue tokens reach; older ones get 410.");
    public static final Setting<Long> HISTORY_BYTES = Setting.size(
            "gateway.history.bytes", 256L << 20, 1L << 20, "Memory for events: what a watch can resume without 410.");
    public static final Setting<Duration> DRAIN = Setting.duration(
            "gateway.drain",
            Duration.ofSeconds(10),
            Duration.ZERO,
            "After SIGTERM, the time over which watches are ended.");
    public static final Setting<Duration> STALENESS_LIMIT = Setting.duration(
            "gateway.stalenessLimit",
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            "A gateway becomes ready for the first time only when what it serves is younger than this;"
                    + " later /readyz?verbose says when it is older.");
    public static final Setting<Undecodable> UNDECODABLE = Setting.oneOf(
            "gateway.undecodable",
            Undecodable.FAIL,
            "What becomes of a list or watch with an object whose value could not be decoded: fail, or skip the object.");

    public static final Setting<String> TLS_CERTIFICATE = Setting.text(
            "gateway.tls.certificate",
            "",
            "PEM file with the certificate that clients see, and those that lead to its issuer; empty: no TLS.");
    public static final Setting<String> TLS_KEY = Setting.text(
            "gateway.tls.key", "", "PEM file with the private key of gateway.tls.certificate: PKCS#8, no password.");
    public static final Setting<List<String>> ALLOWED_ORIGINS = Setting.list(
            "gateway.allowedOrigins",
            List.of(),
            "Origins, as https://ui.example.com, whose web pages may ask this gateway; its own always may.");

    public static final Setting<List<String>> EXTENSIONS = Setting.list(
            "gateway.extensions",
            List.of(),
            "What to answer beyond Kubernetes, below /apis/watershed.io/v1: watch (several resources in one watch), history"
                    + " (the versions of one object).");

    /** As a browser writes one: nothing behind the port, and no port that goes without saying. */
    private static final Pattern ORIGIN = Pattern.compile("https?://[a-z0-9.\\-\\[\\]:]+");

    private static final List<Setting<?>> OWN = List.of(
            LISTEN,
            OPEN_TO_ALL,
            LOOPS,
            BOOKMARK_INTERVAL,
            IMAGE_WINDOW,
            HISTORY_BYTES,
            DRAIN,
            STALENESS_LIMIT,
            UNDECODABLE,
            TLS_CERTIFICATE,
            TLS_KEY,
            ALLOWED_ORIGINS,
            EXTENSIONS);

    /** Every setting that the gateway knows. */
    public static final List<Setting<?>> ALL =
            Stream.concat(LogConfiguration.ALL.stream(), OWN.stream()).toList();

    private GatewayConfiguration() {}

    static ServerSettings server(Settings settings) throws Settings.Invalid {
        String listen = settings.get(LISTEN);
        int colon = listen.lastIndexOf(':');
        String host = listen.substring(0, Math.max(0, colon));
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        int port;
        try {
            port = Integer.parseInt(listen.substring(colon + 1));
        } catch (NumberFormatException e) {
            throw settings.invalid(LISTEN, "must be HOST:PORT");
        }
        if (host.isEmpty() || port < 0 || port > 65535) {
            throw settings.invalid(LISTEN, "must be HOST:PORT");
        }
        boolean loopback = isLoopback(settings, host);
        if (!settings.get(OPEN_TO_ALL) && !loopback) {
            throw settings.invalid(
                    LISTEN,
                    "is not a loopback address, and this gateway asks nobody who they are. Listen on 127.0.0.1, or set "
                            + OPEN_TO_ALL.name() + "=true if everyone who reaches it may read everything");
        }
        return new ServerSettings(
                host,
                port,
                loopback,
                tls(settings),
                allowedOrigins(settings),
                extensions(settings),
                settings.get(UNDECODABLE));
    }

    private static @Nullable TlsSettings tls(Settings settings) throws Settings.Invalid {
        TlsSettings tls = new TlsSettings(settings.get(TLS_CERTIFICATE), settings.get(TLS_KEY));
        if (tls.certificate().isEmpty() && tls.key().isEmpty()) {
            return null;
        }
        if (tls.certificate().isEmpty()) {
            throw settings.invalid(TLS_CERTIFICATE, "must be set, as " + TLS_KEY.name() + " is");
        }
        if (tls.key().isEmpty()) {
            throw settings.invalid(TLS_KEY, "must be set, as " + TLS_CERTIFICATE.name() + " is");
        }
        try {
            TlsFiles.check(tls);
        } catch (TlsFiles.Unusable e) {
            throw settings.invalid(e.isOfKey() ? TLS_KEY : TLS_CERTIFICATE, e.problem());
        }
        return tls;
    }

    private static Set<String> allowedOrigins(Settings settings) throws Settings.Invalid {
        Set<String> origins = new HashSet<>();
        for (String origin : settings.get(ALLOWED_ORIGINS)) {
            if (!ORIGIN.matcher(origin).matches()) {
                throw settings.invalid(
                        ALLOWED_ORIGINS,
                        "must be a list of scheme://host[:port], in lower case and without a path or *; not " + origin);
            }
            origins.add(origin);
        }
        return origins;
    }

    private static Set<Extension> extensions(Settings settings) throws Settings.Invalid {
        Set<Extension> extensions = EnumSet.noneOf(Extension.class);
        for (String name : settings.get(EXTENSIONS)) {
            extensions.add(Arrays.stream(Extension.values())
                    .filter(known -> known.label().equals(name))
                    .findFirst()
                    .orElseThrow(() -> settings.invalid(
                            EXTENSIONS, "must be a list of watch and history, or empty; not " + name)));
        }
        return extensions;
    }

    private static boolean isLoopback(Settings settings, String host) throws Settings.Invalid {
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                if (!address.isLoopbackAddress()) {
                    return false;
                }
            }
            return true;
        } catch (UnknownHostException e) {
            throw settings.invalid(LISTEN, "names a host that can't be found: " + host);
        }
    }

    static int loops(Settings settings) {
        long loops = settings.get(LOOPS);
        return loops == 0 ? Runtime.getRuntime().availableProcessors() : (int) loops;
    }
}
