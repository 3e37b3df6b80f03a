package io.watershed.ingest.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Texts of JSON objects with odd strings, odd numbers and blanks between their parts. */
final class RandomJson {
    private static final String[] NUMBERS = {"0", "-0", "1.10", "1e400", "-1E-7", "18446744073709551615", "3.0"};
    private static final String[] STRINGS = {
        "", "a", "\\u0000", "\\\"", "é", "\\n", "\\ud83d\\ude00", "😀", "\\/", "\\u2028", " "
    };

    private RandomJson() {}

    static String object(Random random, int depth) {
        StringBuilder text = new StringBuilder("{");
        int members = random.nextInt(5);
        for (int member = 0; member < members; member++) {
            text.append(member == 0 ? "" : ",")
                    .append(blank(random))
                    .append("\"m")
                    .append(member)
                    .append(STRINGS[random.nextInt(STRINGS.length)])
                    .append("\":")
                    .append(value(random, depth + 1));
        }
        return text.append(blank(random)).append('}').toString();
    }

    private static String value(Random random, int depth) {
        return switch (random.nextInt(depth > 4 ? 4 : 7)) {
            case 0 -> NUMBERS[random.nextInt(NUMBERS.length)];
            case 1 -> "\"" + STRINGS[random.nextInt(STRINGS.length)] + "\"";
            case 2 -> random.nextBoolean() ? "true" : "false";
            case 3 -> "null";
            case 4 -> "[" + value(random, depth + 1) + blank(random) + "," + value(random, depth + 1) + "]";
            default -> object(random, depth);
        };
    }

    private static String blank(Random random) {
        return random.nextInt(4) == 0 ? " \n" : "";
    }

    /** The members of an object, without those that the decoder sets; numbers by their digits. */
    static Map<String, @Nullable Object> members(String text) {
        Map<String, @Nullable Object> members =
                new TreeMap<>(Objects.requireNonNull(new JsonTree().parseObject(text.getBytes(UTF_8))));
        members.keySet().removeIf(name -> !name.startsWith("m") || name.equals("metadata"));
        return members;
    }
}
