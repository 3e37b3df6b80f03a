package io.watershed.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory that goes with its owner; in memory where the system has a place for that. */
public final class TemporaryDirectory implements AutoCloseable {
    private final Path path;

    private TemporaryDirectory(Path path) {
        this.path = path;
    }

    public static TemporaryDirectory create(String name) {
        Path memory = Path.of("/dev/shm");
        try {
            return new TemporaryDirectory(
                    Files.isWritable(memory)
                            ? Files.createTempDirectory(memory, "watershed-" + name)
                            : Files.createTempDirectory("watershed-" + name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(path)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
