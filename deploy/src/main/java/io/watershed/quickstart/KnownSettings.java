package io.watershed.quickstart;

import io.watershed.config.LogConfiguration;
import io.watershed.config.Setting;
import io.watershed.ingest.IngesterConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What each process can be told. */
final class KnownSettings {
    static final List<Setting<?>> INGESTER = IngesterConfiguration.ALL;

    static final List<Setting<?>> GATEWAY = and(
            Setting.text("gateway.listen", "127.0.0.1:8080", ""),
            Setting.size("gateway.history.bytes", 256 << 20, 1 << 20, ""),
            Setting.duration("gateway.drain", Duration.ofSeconds(10), Duration.ZERO, ""));

    private KnownSettings() {}

    private static List<Setting<?>> and(Setting<?>... more) {
        List<Setting<?>> all = new ArrayList<>(LogConfiguration.ALL);
        all.addAll(List.of(more));
        return all;
    }
}
