package io.watershed.log.state;

import java.util.ArrayList;
import java.util.List;

/** What the model knows of accidents that nobody in it can know yet, so that the checks do not ask for the impossible. */
final class Damage {
    private record Span(long from, long to) {}

    /** Revisions that lack an event, until a relist repairs them. */
    private final List<Long> open = new ArrayList<>();
    /** From a revision that lacked an event to the relist that repaired it. */
    private final List<Span> untrusted = new ArrayList<>();
    /** Revisions that a cut took away, with nobody left who knew. */
    private final List<Span> unseenCuts = new ArrayList<>();

    private boolean cut;

    void lost(long revision) {
        open.add(revision);
    }

    void cut() {
        cut = true;
    }

    void tookOver(boolean due, long watermark, long head) {
        if (cut && !due) {
            unseenCuts.add(new Span(watermark, head));
        }
        cut = false;
    }

    void repaired(long revision) {
        open.forEach(from -> untrusted.add(new Span(from, revision)));
        open.clear();
    }

    boolean isOpen() {
        return !open.isEmpty();
    }

    boolean isKnownAt(long watermark) {
        return isOpen() && open.get(0) <= watermark;
    }

    boolean isNone() {
        return open.isEmpty() && untrusted.isEmpty();
    }

    boolean hides(long revision, long watermark) {
        return open.stream().anyMatch(from -> from <= revision)
                || untrusted.stream()
                        .anyMatch(span -> span.from <= revision && revision < span.to && watermark < span.to);
    }

    boolean wasCutUnseen(long revision) {
        return unseenCuts.stream().anyMatch(span -> span.from < revision && revision <= span.to);
    }
}
