package io.watershed.gateway.cache;

/**
 * Makes one string of equal ones, where it can: label values, namespaces and node names come back by the thousand. A fixed number of slots,
 * the newest string of each; a string that lost its slot is merely held twice.
 *
 * <p><em>Threads:</em> confined to its owner.
 */
final class Interned {
    private static final int SLOTS = 1 << 15;
    /** Long strings are hardly ever equal, and would stay for long. */
    private static final int LONGEST = 256;

    private final String[] slots = new String[SLOTS];

    String of(String text) {
        if (text.length() > LONGEST) {
            return text;
        }
        int hash = text.hashCode();
        int slot = (hash ^ hash >>> 16) & SLOTS - 1;
        String held = slots[slot];
        if (text.equals(held)) {
            return held;
        }
        slots[slot] = text;
        return text;
    }
}
