package io.watershed.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunStateTest {
    @TempDir
    Path directory;

    @Test
    void knowsItsProcessesAgain() throws Exception {
        RunState.Started self = RunState.Started.of(ProcessHandle.current(), "f");
        Path file = directory.resolve("state.json");
        state(Map.of("gateway-1", self), self).write(file);

        RunState read = RunState.read(file);

        assertThat(read.alive()).containsExactly(Map.entry("gateway-1", ProcessHandle.current()));
        assertThat(read.aliveKeeper()).contains(ProcessHandle.current());
        assertThat(read.processes()).containsEntry("gateway-1", self);
    }

    @Test
    void doesNotTakeAnotherProcessOfTheSameNumberForItsOwn() {
        RunState.Started self = RunState.Started.of(ProcessHandle.current(), "f");
        RunState.Started older = new RunState.Started(self.pid(), self.startedAt() - 60_000, "f");

        assertThat(state(Map.of("gateway-1", older), older).alive()).isEmpty();
    }

    @Test
    void reportsWhatTheDocumentationPromises() {
        RunState.Started self = RunState.Started.of(ProcessHandle.current(), "f");

        assertThat(state(Map.of("gateway-1", self), null).report(true))
                .isEqualTo("{\"gateways\":[\"http://127.0.0.1:8080\"],\"ingester\":\"http://127.0.0.1:8090\","
                        + "\"etcd\":[\"http://127.0.0.1:8100\"],\"kafka\":\"127.0.0.1:8110\",\"topic\":\"watershed\","
                        + "\"pids\":{\"gateway-1\":" + self.pid() + "},\"ready\":true}");
        assertThat(RunState.NOTHING.report(false)).contains("\"gateways\":[]").endsWith("\"ready\":false}");
    }

    @Test
    void namesTheFileThatIsDamaged() throws IOException {
        Path file = Files.writeString(directory.resolve("state.json"), "{\"gateways\":");

        assertThatThrownBy(() -> RunState.read(file))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining(file.toString());
    }

    private static RunState state(Map<String, RunState.Started> processes, RunState.@Nullable Started keeper) {
        return new RunState(
                List.of("http://127.0.0.1:8080"),
                "http://127.0.0.1:8090",
                List.of("http://127.0.0.1:8100"),
                "127.0.0.1:8110",
                "watershed",
                processes,
                keeper);
    }
}
