package io.watershed.log.state;

import io.watershed.log.EtcdKey;
import io.watershed.log.Generation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A client that lists once and then only watches, at any gateway; its watches are cut anywhere. It must hold what etcd holds. */
final class ClientModel {
    private final World world;
    private final char selector;
    private final Map<EtcdKey, Obj> known = new HashMap<>();
    private boolean hasListed;
    private long resumeAt;
    private @Nullable Generation generation;
    /** Whether it was cut inside the revision that it resumes at. */
    private boolean cutInside;

    private long asleepUntil;

    ClientModel(World world, char selector) {
        this.world = world;
        this.selector = selector;
    }

    void wake() {
        asleepUntil = 0;
    }

    void step(RandomGenerator random) {
        List<ReaderModel> ready = world.readyReaders();
        if (ready.isEmpty() || world.now < asleepUntil) {
            return;
        }
        ReaderModel reader = ready.get(random.nextInt(ready.size()));
        if (hasListed && resumeAt > reader.watermark()) {
            return; // a lagging gateway: it waits
        }
        if (hasListed && !reader.state.isValid(resumeAt)) {
            hasListed = false;
            world.count("410");
        } else if (hasListed && cutInside && isStatedLimit(reader)) {
            hasListed = false;
            world.count("limit");
        }
        if (hasListed) {
            watch(reader, random);
        } else {
            list(reader);
        }
    }

    /** Accepted although the rest of the revision is gone: what docs/log.md states as limits. */
    private boolean isStatedLimit(ReaderModel reader) {
        boolean lostTopic = reader.floor() == resumeAt
                && ((world.isRecreating() && !reader.served().equals(generation)) || world.wasCutUnseen(resumeAt));
        return resumeAt == reader.clamped || lostTopic;
    }

    private void list(ReaderModel reader) {
        known.clear();
        known.putAll(select(reader.image()));
        resumeAt = reader.watermark();
        cutInside = false;
        hasListed = true;
    }

    private Map<EtcdKey, Obj> select(Map<EtcdKey, Obj> state) {
        Map<EtcdKey, Obj> selected = new HashMap<>(state);
        selected.values().removeIf(object -> selector != 0 && object.app() != selector);
        return selected;
    }

    private void watch(ReaderModel reader, RandomGenerator random) {
        List<Obj.Seen> events = reader.store.watch(resumeAt, selector);
        int cut = cutAt(events, random);
        if (random.nextInt(10) == 0) {
            asleepUntil = world.now + random.nextInt(3 * TopicModel.WINDOW + 1);
        }
        receive(events.subList(0, cut));
        generation = reader.served();
        cutInside = cut < events.size() && events.get(cut).revision() == resumeAt;
        if (cut == events.size()) {
            Map<EtcdKey, Obj> truth = world.truth(reader, reader.watermark());
            Violation.unless(
                    truth == null || known.equals(select(truth)),
                    "client differs at",
                    reader.watermark(),
                    "it has",
                    known,
                    "etcd has",
                    String.valueOf(truth));
            if (random.nextBoolean()) {
                resumeAt = reader.watermark(); // a bookmark
            }
        }
        world.count("resumes");
    }

    /** Everything, or up to some event; often between two events of one revision. */
    private static int cutAt(List<Obj.Seen> events, RandomGenerator random) {
        List<Integer> inside = new ArrayList<>();
        for (int i = 1; i < events.size(); i++) {
            if (events.get(i - 1).revision() == events.get(i).revision()) {
                inside.add(i);
            }
        }
        if (!inside.isEmpty() && random.nextInt(10) < 3) {
            return inside.get(random.nextInt(inside.size()));
        }
        return random.nextBoolean() ? random.nextInt(events.size() + 1) : events.size();
    }

    private void receive(List<Obj.Seen> events) {
        Set<Obj.Seen> before = new HashSet<>();
        long previous = 0;
        for (Obj.Seen event : events) {
            Violation.unless(before.add(event), "twice on one watch:", event);
            Violation.unless(event.revision() >= previous, "out of order:", event, "after", previous);
            previous = event.revision();
            if (event.type().equals("DELETED")) {
                known.remove(event.key());
            } else {
                known.put(event.key(), Objects.requireNonNull(event.object()));
            }
            resumeAt = event.revision();
        }
    }
}
