package io.watershed.quickstart;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The one directory that holds everything of a quick start, and survives it. */
record DataDirectory(Path path) {
    /** A log that is longer when a process starts is put aside once. */
    private static final long LONG_LOG = 16 << 20;

    void create() throws Refusal {
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw Refusal.failure(
                    "The data directory " + path + " is a file and no directory." + "\nName another with --data DIR.");
        }
        if (Files.isDirectory(path) && !Files.isWritable(path)) {
            throw Refusal.failure("The data directory " + path + " may not be written by this user."
                    + "\nGive them the right, or name another with --data DIR.");
        }
        try {
            Files.createDirectories(path.resolve("logs"));
            Files.createDirectories(path.resolve("classes"));
        } catch (IOException e) {
            throw Refusal.failure("The data directory " + path + " cannot be created: " + Refusal.reason(e)
                    + ".\nName another with --data DIR.");
        }
    }

    Path etcd() {
        return path.resolve("etcd");
    }

    Path kafka() {
        return path.resolve("kafka");
    }

    Path kafkaProperties() {
        return path.resolve("kafka.properties");
    }

    /** {@code HOST:PORT} of the broker, for bin/kafka. */
    Path kafkaAddress() {
        return path.resolve("kafka.address");
    }

    Path kubeconfig() {
        return path.resolve("kubeconfig");
    }

    Path sampleLoaded() {
        return path.resolve("sample.loaded");
    }

    Path state() {
        return path.resolve("state.json");
    }

    /** The log file of a process. */
    Path log(String process) {
        return path.resolve("logs").resolve(process + ".log");
    }

    /** What the JVM has prepared of a program's classes. */
    Path classes(String program) {
        return path.resolve("classes").resolve(program + ".jsa");
    }

    Path rotatedLog(String process) throws IOException {
        Path log = log(process);
        if (Files.exists(log) && Files.size(log) > LONG_LOG) {
            Files.move(log, log.resolveSibling(process + ".old.log"), StandardCopyOption.REPLACE_EXISTING);
        }
        return log;
    }

    /** Held while something is started or stopped here; the system gives it back when the holder dies. Null: somebody has it. */
    @Nullable
    FileLock tryLock() throws IOException {
        FileChannel channel =
                FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock();
        if (lock == null) {
            channel.close();
        }
        return lock;
    }

    /** Writes all or nothing: a crash in between leaves the old content. */
    static void replace(Path file, String content) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.writeString(next, content);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** For a shell: quoted where that is needed. */
    String typed(Path file) {
        String shown = shown(file);
        return shown.matches("[\\p{L}\\p{N}/._+-]+") ? shown : "'" + shown.replace("'", "'\\''") + "'";
    }

    /** As a person would write it: relative when it is below the working directory. */
    String shown(Path file) {
        Path here = Path.of("").toAbsolutePath();
        return file.startsWith(here) ? here.relativize(file).toString() : file.toString();
    }
}
