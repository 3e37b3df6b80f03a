package io.watershed.log.state;

import io.watershed.log.Entry;
import io.watershed.log.EtcdKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;

/** What must hold of every ready reader at any time. */
final class WorldChecks {
    private final World world;
    private final RandomGenerator random;

    WorldChecks(World world, RandomGenerator random) {
        this.world = world;
        this.random = random;
    }

    void whenReady(ReaderModel reader) {
        long before = world.topic.watermarks.stream()
                .filter(mark -> mark.time() < reader.started())
                .mapToLong(TopicModel.Mark::watermark)
                .max()
                .orElse(0);
        Violation.unless(
                world.topic.epoch > 0 || reader.watermark() >= before,
                "ready at",
                reader.watermark(),
                "behind the end at its start,",
                before);
    }

    void check(ReaderModel reader) {
        if (!reader.live) {
            return;
        }
        long floor = reader.floor();
        long watermark = reader.watermark();
        Violation.unless(floor <= watermark, "LIST at W, then WATCH from W is refused: F", floor, "W", watermark);
        checkImage(reader, floor);
        checkImage(reader, watermark);
        checkImage(reader, between(floor, watermark));
        checkImage(reader, Math.min(floor + 1, watermark));
        if (world.damage.isNone()) {
            long from = random.nextInt(3) == 0 ? floor : between(floor, watermark);
            checkWatch(reader, from, (char) 0);
            checkWatch(reader, from, 'x');
        }
        if (world.keepsItsWindow()) {
            checkWindow(reader);
        }
    }

    private long between(long low, long high) {
        return low + random.nextInt((int) (high - low) + 1);
    }

    private void checkImage(ReaderModel reader, long revision) {
        Map<EtcdKey, Obj> truth = world.truth(reader, revision);
        if (truth != null) {
            Map<EtcdKey, Obj> image = reader.store.imageAt(revision);
            Violation.unless(
                    image.equals(truth),
                    "image at",
                    revision,
                    "of",
                    reader.floor(),
                    "to",
                    reader.watermark(),
                    "is",
                    image,
                    "not",
                    truth);
            world.count("images");
        }
    }

    private void checkWatch(ReaderModel reader, long from, char selector) {
        EtcdModel history = Objects.requireNonNull(world.historyOf(reader.served()));
        List<Obj.Seen> got = reader.store.watch(from, selector);
        List<Obj.Seen> again = eventsOf(history, from, selector);
        List<Obj.Seen> after = new ArrayList<>();
        for (long revision = from + 1; revision <= reader.watermark(); revision++) {
            after.addAll(eventsOf(history, revision, selector));
        }
        again.addAll(after);
        Violation.unless(
                sameChanges(got, after) || sameChanges(got, again),
                "watch from",
                from,
                "with selector",
                (int) selector,
                "sees",
                got,
                "not",
                after);
    }

    private static List<Obj.Seen> eventsOf(EtcdModel history, long revision, char selector) {
        List<Obj.Seen> seen = new ArrayList<>();
        history.eventsOf(revision).forEach(event -> seen.addAll(event.seenBy(selector)));
        return seen;
    }

    private static boolean sameChanges(List<Obj.Seen> some, List<Obj.Seen> others) {
        boolean same = some.size() == others.size();
        for (int i = 0; same && i < some.size(); i++) {
            same = some.get(i).sameChange(others.get(i));
        }
        return same;
    }

    /** Nothing that was the watermark within the window is refused, unless a relist ended it. */
    private void checkWindow(ReaderModel reader) {
        long oldest = world.topic.watermarks.stream()
                .filter(mark -> mark.time() <= world.now - TopicModel.WINDOW)
                .mapToLong(TopicModel.Mark::watermark)
                .max()
                .orElse(0);
        long lowest = oldest + (world.etcd.head() >= oldest && isOnePut(oldest) ? 0 : 1);
        for (int offset = 0; offset < world.topic.end(); offset++) {
            TopicModel.Slot slot = world.topic.at(offset);
            if (slot != null && slot.entry() instanceof Entry.RelistEnd end) {
                lowest = Math.max(lowest, end.revision());
            }
        }
        checkNotRefused(reader, lowest);
        checkNotRefused(reader, between(lowest, Math.max(lowest, reader.watermark())));
    }

    private void checkNotRefused(ReaderModel reader, long revision) {
        Violation.unless(
                revision > reader.watermark() || reader.state.isValid(revision),
                "refused inside the window:",
                revision,
                "F",
                reader.floor(),
                "W",
                reader.watermark());
    }

    /** etcd was idle on one put: that revision itself is valid, too (V4). */
    private boolean isOnePut(long revision) {
        List<Obj.Event> events = world.etcd.eventsOf(revision);
        return revision > 0 && events.size() == 1 && events.get(0).after() != null;
    }
}
