package io.watershed.quickstart;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the build left, and the Java that runs it: the one that runs the quick start.
 *
 * @param root the top of the source tree
 */
record Installation(Path root) {
    static Installation find() throws Refusal {
        String root = System.getProperty("watershed.root");
        if (root == null) {
            throw Refusal.usage("Start the quick start with bin/quickstart.");
        }
        return new Installation(Path.of(root));
    }

    /** A class path with the broker and Kafka's tools. */
    String kafkaClassPath() throws Refusal {
        return jars(root.resolve("deploy/kafka/target/lib"));
    }

    Path brokerLogging() {
        return root.resolve("deploy/kafka/config/broker-log4j2.xml");
    }

    /** The class path of a module that is a process. */
    String classPath(String module) throws Refusal {
        Path target = root.resolve(module).resolve("target");
        String lib = jars(target.resolve("lib"));
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(target, module + "-*.jar")) {
            for (Path jar : jars) {
                return jar + System.getProperty("path.separator") + lib;
            }
        } catch (IOException e) {
            throw notBuilt(target);
        }
        throw notBuilt(target);
    }

    /**
     * Options that keep the classes of a process as the JVM has prepared them, which saves most of its start: from the second start on a
     * gateway took 3.2 instead of 6.9 CPU-seconds to be ready. The JVM writes the file when it exits in order, and again when jars have
     * changed; without a file that fits it starts as ever.
     *
     * @param writes false: only use it; of processes with one file only one may write
     */
    static List<String> preparedClasses(Path file, boolean writes) {
        if (Runtime.version().feature() < 19) {
            return List.of(); // cannot write it by itself
        }
        List<String> options = new ArrayList<>(List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds*=off"));
        if (writes) {
            options.add("-XX:+AutoCreateSharedArchive");
        }
        return options;
    }

    /** {@code java} with options for a process with this much heap at most, and its class path. */
    List<String> java(String heap, String classPath, List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xms64m");
        command.add("-Xmx" + heap);
        command.add("-XX:+ExitOnOutOfMemoryError");
        command.addAll(quietOptions());
        command.addAll(options);
        command.add("-cp");
        command.add(classPath);
        return command;
    }

    /** Newer Java warns of what Netty does on purpose. */
    private static List<String> quietOptions() {
        return Runtime.version().feature() >= 24
                ? List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow")
                : List.of();
    }

    private static String jars(Path lib) throws Refusal {
        if (!Files.isDirectory(lib)) {
            throw notBuilt(lib);
        }
        return lib + "/*";
    }

    private static Refusal notBuilt(Path missing) {
        return Refusal.failure(missing + " is not there: build first with bin/quickstart (without --no-build)"
                + " or mvn -DskipTests package.");
    }
}
