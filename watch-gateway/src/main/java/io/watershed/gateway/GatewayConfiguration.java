package io.watershed.gateway;

import io.watershed.config.LogConfiguration;
import io.watershed.config.Setting;
import io.watershed.config.Settings;
import io.watershed.gateway.fanout.FanoutSettings.Undecodable;
import io.watershed.gateway.http.ServerSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

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

    private static final List<Setting<?>> OWN = List.of(
            LISTEN,
            OPEN_TO_ALL,
            LOOPS,
            BOOKMARK_INTERVAL,
            IMAGE_WINDOW,
            HISTORY_BYTES,
            DRAIN,
            STALENESS_LIMIT,
            UNDECODABLE);

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
        if (!settings.get(OPEN_TO_ALL) && !isLoopback(settings, host)) {
            throw settings.invalid(
                    LISTEN,
                    "is not a loopback address, and this gateway asks nobody who they are. Listen on 127.0.0.1, or set "
                            + OPEN_TO_ALL.name() + "=true if everyone who reaches it may read everything");
        }
        return new ServerSettings(host, port, settings.get(UNDECODABLE));
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
