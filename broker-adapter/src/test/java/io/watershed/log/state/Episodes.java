package io.watershed.log.state;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;

/** Runs the model. A {@link LongFunction}, so that a class loader of its own can be asked for the result without its types. */
public final class Episodes implements LongFunction<String> {
    static final int STEPS = 600;

    private final Map<String, Integer> counts = new TreeMap<>();

    /** One random history. What is violated, or empty. */
    @Override
    public String apply(long seed) {
        World world = new World(seed);
        try {
            for (int step = 0; step < STEPS; step++) {
                world.step();
            }
            world.finish();
        } catch (Violation e) {
            return e.getMessage() == null ? "violated" : e.getMessage();
        }
        world.counts().forEach((what, count) -> counts.merge(what, count, Integer::sum));
        return "";
    }

    Map<String, Integer> counts() {
        return counts;
    }
}
