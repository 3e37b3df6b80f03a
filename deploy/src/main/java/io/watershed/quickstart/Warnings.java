package io.watershed.quickstart;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Follows the processes' log files, and shows the lines that warn. */
final class Warnings {
    /** Ours and Kafka's (log4j), and etcd's (zap). */
    private static final Pattern WARNING = Pattern.compile(
            "^\\S+ (WARN|ERROR|FATAL) |\"level\":\"(warn|error|dpanic|panic|fatal)\"|^(Exception in thread|Error: |FATAL)");
    /** True, and as it should be here: etcd without authentication, and servers that have just been started. */
    private static final Pattern ON_PURPOSE = Pattern.compile(
            "simple token is not cryptographically signed|Performing controller activation|not ready yet: reading the log");
    /** Of one log and one look; a process in trouble may write thousands. */
    private static final int MOST_LINES = 10;

    private static final int MOST_BYTES = 1 << 20;
    private static final int LONGEST_LINE = 400;

    private final Screen screen;
    private final Map<String, Follower> followers = new LinkedHashMap<>();

    Warnings(Screen screen) {
        this.screen = screen;
    }

    /** From here on; what a log holds already is yesterday's. */
    void follow(String process, Path log) throws IOException {
        followers.put(process, new Follower(log, Files.exists(log) ? Files.size(log) : 0));
    }

    void show() throws IOException {
        for (Map.Entry<String, Follower> entry : followers.entrySet()) {
            int shown = 0;
            int hidden = 0;
            for (String line : entry.getValue().newLines().split("\n", -1)) {
                if (!isWarning(line)) {
                    continue;
                }
                if (shown++ < MOST_LINES) {
                    screen.line("  " + entry.getKey() + "| " + shortened(line));
                } else {
                    hidden++;
                }
            }
            if (hidden > 0) {
                screen.line("  " + entry.getKey() + "| … " + hidden + " more in " + entry.getValue().log);
            }
        }
    }

    static boolean isWarning(String line) {
        return WARNING.matcher(line).find() && !ON_PURPOSE.matcher(line).find();
    }

    private static String shortened(String line) {
        return line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE) + "…";
    }

    private static final class Follower {
        private final Path log;
        private long position;

        Follower(Path log, long position) {
            this.log = log;
            this.position = position;
        }

        /** Whole lines only; what comes too fast to be read is passed over, since the file keeps it. */
        String newLines() throws IOException {
            if (!Files.exists(log)) {
                return "";
            }
            try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
                position = Math.max(Math.min(position, file.length()), file.length() - MOST_BYTES);
                byte[] bytes = new byte[(int) (file.length() - position)];
                file.seek(position);
                file.readFully(bytes);
                String text = new String(bytes, StandardCharsets.ISO_8859_1);
                int end = text.lastIndexOf('\n') + 1;
                position += end;
                return new String(bytes, 0, end, StandardCharsets.UTF_8);
            }
        }
    }

    /** The end of a log, for a process that has just died. */
    static String tail(Path log, int lines) throws IOException {
        if (!Files.exists(log)) {
            return "";
        }
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long from = Math.max(0, file.length() - (64 << 10));
            byte[] bytes = new byte[(int) (file.length() - from)];
            file.seek(from);
            file.readFully(bytes);
            List<String> all = new String(bytes, StandardCharsets.UTF_8).lines().toList();
            return all.subList(Math.max(0, all.size() - lines), all.size()).stream()
                    .map(line -> "    " + shortened(line) + "\n")
                    .collect(Collectors.joining());
        }
    }
}
