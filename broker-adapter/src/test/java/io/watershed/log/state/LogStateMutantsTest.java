package io.watershed.log.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each rule of the reader, broken: the model's checks must notice. A mutant that survives means that a rule may be broken unseen, or is
 * not needed.
 */
class LogStateMutantsTest {
    private static final int EPISODES = 200;

    /** Only the written cases are asked: by chance their orders of events come too seldom for the time of a test. */
    private static final Set<Mutant> RARE = EnumSet.of(
            Mutant.PENDING_WINS,
            Mutant.MISFIT_BLUNT,
            Mutant.GAP_SHARP,
            Mutant.GAP_AT_PROGRESS_IGNORED,
            Mutant.NO_CLAMP,
            Mutant.GENERATION_UNCHECKED);

    /** What is broken, as a replacement in the source; blanks and line ends in it count as one blank. */
    enum Mutant {
        READER_DISCARDS_PENDING("phase = Phase.OPEN;", "phase = Phase.OPEN; pending.clear();"),
        SHOW_PENDING(
                "pending.put(snapshot.object().key(),",
                "set(snapshot.object().key(), kept(snapshot.object())); publish(watermark); pending.put(snapshot.object().key(),"),
        SNAPSHOT_MOVES_WATERMARK(
                "pending.put(snapshot.object().key(),",
                "progress(entry.revision(), false); pending.put(snapshot.object().key(),"),
        PENDING_WINS("settle(); // what", "// what"),
        FLOOR_KEPT_AT_END("raise(end.revision());", ""),
        OLD_RELIST_REPAIRS("if (phase == Phase.OPEN) {", "{"),
        MISFIT_IGNORED("if (!fits(object, previous)) {", "if (live && !fits(object, previous)) {"),
        MISFIT_SHARP("raise(change.count() == 1 ? revision : revision + 1);", "raise(revision);"),
        MISFIT_BLUNT("raise(change.count() == 1 ? revision : revision + 1);", "raise(revision + 1);"),
        FIRST_VERSION_UNCHECKED("return previous == null;", "return true;"),
        GAP_IGNORED(
                "boolean gap = checkContinuity(next, record);",
                "boolean gap = checkContinuity(next, record) && false;"),
        GAP_SHARP("raise(bound + 1);", "raise(bound);"),
        GAP_AT_PROGRESS_IGNORED("if (gap) { raise(revision + 1); }", ""),
        YOUNG_GAP_IGNORED("phase = Phase.LOST; // A3", "// A3"),
        NO_CLAMP("floor = Math.min(floor, watermark);", ""),
        GAP_IN_TAIL_IGNORED("if (gap && live) {", "if (gap && live && phase == Phase.LOST) {"),
        GENERATION_UNCHECKED(
                "if (live && !record.generation()", "if (live && phase == Phase.LOST && !record.generation()");

        final String text;
        final String replacement;

        Mutant(String text, String replacement) {
            this.text = text;
            this.replacement = replacement;
        }
    }

    @Test
    void productionCodeThroughTheSameLoaderPasses(@TempDir Path directory) throws Exception {
        ClassLoader loader = MutantLoader.replacing("pending.clear();", "pending.clear();", directory);

        assertThat(failingCases(loader)).isEmpty();
        assertThat(violation(loader, 10)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void isCaught(Mutant mutant, @TempDir Path directory) throws Exception {
        ClassLoader loader = MutantLoader.replacing(mutant.text, mutant.replacement, directory);

        assertThat(failingCases(loader)).as("cases that fail with %s", mutant).isNotEmpty();
        if (!RARE.contains(mutant)) {
            assertThat(violation(loader, EPISODES))
                    .as("what %s violates in the model", mutant)
                    .isNotEmpty();
        }
    }

    /** Runs the written cases around the loader's own {@link LogState}. */
    private static List<String> failingCases(ClassLoader loader) throws ReflectiveOperationException {
        Class<?> cases = loader.loadClass(LogStateTest.class.getName());
        List<String> failing = new ArrayList<>();
        for (Method method : cases.getDeclaredMethods()) {
            if (method.isAnnotationPresent(Test.class)) {
                Constructor<?> constructor = cases.getDeclaredConstructor();
                constructor.setAccessible(true);
                method.setAccessible(true);
                try {
                    method.invoke(constructor.newInstance());
                } catch (InvocationTargetException e) {
                    failing.add(method.getName());
                }
            }
        }
        return failing;
    }

    /** The first violation in so many random histories, or empty. */
    private static String violation(ClassLoader loader, int count) throws ReflectiveOperationException {
        LongFunction<String> episodes = episodes(loader);
        String violation = "";
        for (long seed = 1; seed <= count && violation.isEmpty(); seed++) {
            violation = episodes.apply(seed);
        }
        return violation;
    }

    @SuppressWarnings("unchecked") // the class is Episodes, of another loader
    private static LongFunction<String> episodes(ClassLoader loader) throws ReflectiveOperationException {
        return (LongFunction<String>) loader.loadClass(Episodes.class.getName())
                .getDeclaredConstructor()
                .newInstance();
    }
}
