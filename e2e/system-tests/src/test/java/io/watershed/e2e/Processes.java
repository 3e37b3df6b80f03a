package io.watershed.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What Linux knows about a process. */
final class Processes {
    private Processes() {}

    /** The most memory that it ever had resident. */
    static long peakResidentBytes(long pid) {
        try {
            String line = Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                    .filter(text -> text.startsWith("VmHWM:"))
                    .findFirst()
                    .orElseThrow();
            return Long.parseLong(line.replaceAll("\\D", "")) << 10;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
