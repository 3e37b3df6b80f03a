package io.watershed.gateway;

import java.util.List;
import java.util.Random;

/** Texts near to what clients send: samples with some random edits, which lead deeper into a parser than noise does. */
public final class ArbitraryText {
    private static final String CHARACTERS =
            "abzAZ019 ._~-%/\\,;:=!<>()[]{}\"'`&?+*#@$^|\t\n\r\0\u0007\u007f\u00e9\u2028\ufeff\ud83d\ude00\ud800";

    private final Random random;

    public ArbitraryText(Random random) {
        this.random = random;
    }

    /** One of the samples, or two of them, edited. */
    public String near(List<String> samples) {
        StringBuilder text = new StringBuilder(any(samples));
        if (random.nextInt(4) == 0) {
            text.insert(random.nextInt(text.length() + 1), any(samples));
        }
        for (int edits = random.nextInt(6); edits > 0; edits--) {
            edit(text);
        }
        if (random.nextInt(50) == 0) {
            String piece = piece(text);
            int at = random.nextBoolean() ? text.length() : random.nextInt(text.length() + 1);
            text.insert(at, piece.repeat(30_000 / Math.max(1, piece.length())));
        }
        return text.toString();
    }

    public <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private void edit(StringBuilder text) {
        int at = random.nextInt(text.length() + 1);
        switch (random.nextInt(5)) {
            case 0 -> text.insert(at, CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
            case 1 -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(3)));
            case 2 -> text.insert(at, piece(text));
            case 3 -> {
                if (at < text.length()) {
                    text.setCharAt(at, CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
                }
            }
            default -> text.setLength(at);
        }
    }

    private String piece(StringBuilder text) {
        int start = random.nextInt(text.length() + 1);
        return text.substring(start, Math.min(text.length(), start + 1 + random.nextInt(8)));
    }
}
