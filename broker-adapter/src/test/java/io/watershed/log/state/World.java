package io.watershed.log.state;

import io.watershed.log.EtcdKey;
import io.watershed.log.Generation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One random history of everything around the log, and the checks on it. What can happen is drawn by weight; some families of
 * histories have their own kind of accident.
 */
final class World {
    private enum Action {
        WRITE,
        WRITE_ELSEWHERE,
        BURST,
        COMPACT_ETCD,
        LEAD,
        CRASH,
        READ,
        NEW_READER,
        COMPACT_TOPIC,
        CLIENT,
        CHECK,
        IDLE,
        LOSE_EVENT,
        AUDIT,
        CUT,
        RESTORE,
        RECREATE
    }

    private static final List<EtcdKey> KEYS =
            List.of("a", "b", "c", "d", "e", "f").stream().map(EtcdKey::utf8).toList();
    private static final List<String> FAMILIES =
            List.of("plain", "plain", "gaps", "gaps", "lossy", "cut", "restore", "recreate");

    private final RandomGenerator random;
    private final Map<Action, Double> weights = new EnumMap<>(Action.class);
    private final Map<Generation, EtcdModel> histories = new HashMap<>();
    private final List<ReaderModel> readers = new ArrayList<>();
    private final List<ClientModel> clients = new ArrayList<>();
    private final WorldChecks checks;
    private final Map<String, Integer> counts = new TreeMap<>();
    private boolean loseNext;
    private boolean hurry;
    final Damage damage = new Damage();
    final TopicModel topic = new TopicModel();
    EtcdModel etcd = new EtcdModel();

    @Nullable
    IngesterModel leader;

    long now;

    World(long seed) {
        random = new SplittableRandom(seed);
        checks = new WorldChecks(this, random);
        String family = FAMILIES.get(random.nextInt(FAMILIES.size()));
        weigh(family);
        for (char selector : new char[] {0, 'x', 'x', 0}) {
            clients.add(new ClientModel(this, selector));
        }
        for (int i = random.nextInt(13); i > 0; i--) {
            write();
        }
    }

    private void weigh(String family) {
        weights.put(Action.WRITE, 6.0);
        weights.put(Action.WRITE_ELSEWHERE, 1.0);
        weights.put(Action.BURST, .1);
        weights.put(Action.COMPACT_ETCD, family.equals("gaps") ? 1.5 : pick(0, .2, .6));
        weights.put(Action.LEAD, pick(3, 6));
        weights.put(Action.CRASH, pick(.05, .3));
        weights.put(Action.READ, 8.0);
        weights.put(Action.NEW_READER, .4);
        weights.put(Action.COMPACT_TOPIC, pick(.5, 2));
        weights.put(Action.CLIENT, 5.0);
        weights.put(Action.CHECK, 3.0);
        weights.put(Action.IDLE, pick(0, .1));
        weights.put(Action.LOSE_EVENT, family.equals("lossy") ? .15 : 0);
        weights.put(Action.AUDIT, family.equals("lossy") ? 3.0 : 0);
        weights.put(Action.CUT, family.equals("cut") ? .1 : 0);
        weights.put(Action.RESTORE, family.equals("restore") ? .1 : 0);
        weights.put(Action.RECREATE, family.equals("recreate") ? .05 : 0);
    }

    private double pick(double... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private boolean canHappen(Action action) {
        return weights.getOrDefault(action, 0.0) > 0;
    }

    boolean isRecreating() {
        return canHappen(Action.RECREATE);
    }

    boolean keepsItsWindow() {
        return !canHappen(Action.CUT) && !canHappen(Action.RECREATE);
    }

    boolean wasCutUnseen(long revision) {
        return damage.wasCutUnseen(revision);
    }

    void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    Map<String, Integer> counts() {
        return counts;
    }

    private int counted(String what) {
        return counts.getOrDefault(what, 0);
    }

    Generation newGeneration() {
        int number = histories.size() + 1;
        Generation generation = new Generation(number, String.format("%08x", number));
        histories.put(generation, etcd);
        return generation;
    }

    @Nullable
    EtcdModel historyOf(Generation generation) {
        return histories.get(generation);
    }

    List<ReaderModel> readyReaders() {
        return readers.stream().filter(reader -> reader.live).toList();
    }

    /** A takeover. {@code due}: it begins with a relist. */
    void tookOver(boolean due, long watermark) {
        count("takeovers");
        damage.tookOver(due, watermark, etcd.head());
        hurry = false;
    }

    void repaired(long revision) {
        count("relists");
        damage.repaired(revision);
    }

    /** What etcd held at a revision, or null where an event that etcd lost makes that unjudgeable. */
    @Nullable
    Map<EtcdKey, Obj> truth(ReaderModel reader, long revision) {
        EtcdModel history = histories.get(reader.served());
        if (history == null || damage.hides(revision, reader.watermark())) {
            return null;
        }
        Violation.unless(revision <= history.head(), "image from the future:", revision, "head", history.head());
        return history.at(revision);
    }

    /** The events of a revision as the stream brings them: one may be lost on the way. */
    List<Obj.Event> deliveredEvents(long revision) {
        List<Obj.Event> events = etcd.eventsOf(revision);
        if (!loseNext || events.isEmpty()) {
            return events;
        }
        loseNext = false;
        damage.lost(revision);
        List<Obj.Event> others = new ArrayList<>(events);
        others.remove(random.nextInt(others.size()));
        return others;
    }

    private void write() {
        List<EtcdKey> left = new ArrayList<>(KEYS);
        TreeMap<EtcdKey, Character> operations = new TreeMap<>();
        for (int count = (int) pick(1, 1, 1, 2, 3); count > 0; count--) {
            EtcdKey key = left.remove(random.nextInt(left.size()));
            operations.put(key, random.nextInt(10) < 3 ? EtcdModel.DELETE : random.nextBoolean() ? 'x' : 'y');
        }
        etcd.transaction(operations);
    }

    void step() {
        now++;
        if (leader == null && random.nextInt(10) < 3) {
            IngesterModel.takeOver(this);
        }
        Action action = draw();
        switch (action) {
            case WRITE -> write();
            case WRITE_ELSEWHERE -> etcd.transaction(new TreeMap<>());
            case BURST -> {
                for (int i = 0; i < 6; i++) {
                    write();
                }
            }
            case COMPACT_ETCD -> etcd.compacted += random.nextInt((int) (etcd.head() - etcd.compacted) + 1);
            case COMPACT_TOPIC -> {
                if (topic.end() > 0) {
                    topic.compact(random, now);
                }
            }
            case READ, NEW_READER -> read(action);
            case CLIENT -> clients.get(random.nextInt(clients.size())).step(random);
            case CHECK -> checkOne();
            case IDLE -> now += hurry ? 0 : 1 + random.nextInt(2 * TopicModel.WINDOW);
            case LEAD, CRASH, AUDIT -> lead(action);
            default -> accident(action);
        }
    }

    private Action draw() {
        double left = random.nextDouble()
                * weights.values().stream().mapToDouble(Double::doubleValue).sum();
        for (Map.Entry<Action, Double> weight : weights.entrySet()) {
            left -= weight.getValue();
            if (left < 0) {
                return weight.getKey();
            }
        }
        return Action.CHECK;
    }

    private void lead(Action action) {
        IngesterModel leads = leader;
        if (leads == null || !leads.ready) {
            return;
        }
        if (action == Action.LEAD) {
            leads.step(random);
        } else if (action == Action.CRASH) {
            leader = null;
        } else if (!leads.isListing() && damage.isKnownAt(leads.watermark)) {
            leads.beginRelist(List.of());
        }
    }

    private void read(Action action) {
        if (action == Action.NEW_READER) {
            ReaderModel reader = new ReaderModel(topic, now);
            reader.pace = (int) pick(0, 0, 2);
            if (readers.size() < 3) {
                readers.add(reader);
            } else {
                readers.set(random.nextInt(3), reader);
            }
            return;
        }
        if (readers.isEmpty()) {
            return;
        }
        int index = random.nextInt(readers.size());
        ReaderModel reader = readers.get(index);
        int count = (int) pick(1, 2, 5, 50);
        try {
            if (reader.step(now, reader.pace == 0 || reader.live ? count : reader.pace)) {
                count("ready");
                checks.whenReady(reader);
            }
        } catch (ReaderModel.StartAgain e) {
            count("resyncs");
            readers.set(index, new ReaderModel(topic, now));
        }
    }

    private void checkOne() {
        if (!readers.isEmpty()) {
            checks.check(readers.get(random.nextInt(readers.size())));
        }
    }

    private void accident(Action action) {
        if (action == Action.LOSE_EVENT) {
            loseNext = !loseNext && !damage.isOpen();
        } else if (action == Action.CUT && topic.end() > 10 && counted("cuts") < 2) {
            topic.cutTail(1 + random.nextInt(8), now);
            damage.cut();
            hurry = true;
            count("cuts");
        } else if (action == Action.RESTORE && counted("restores") < 2) {
            restore();
        } else if (action == Action.RECREATE && counted("recreated") < 2 && topic.end() > 10) {
            topic.recreate();
            leader = null;
            count("recreated");
        }
    }

    private void restore() {
        IngesterModel leads = leader;
        if (leads == null || !leads.ready || leads.watermark <= 5) {
            return;
        }
        EtcdModel old = etcd;
        long lowest = Math.max(old.compacted, old.head() - 10);
        long revision = lowest + random.nextInt((int) (old.head() - lowest) + 1);
        int bump = (int) pick(0, 0, 5, 20);
        etcd = EtcdModel.restored(old, revision, bump);
        count("restores");
        if (bump == 0 && random.nextInt(10) < 8) {
            // The same writes again with other values: same keys, revisions and versions.
            for (long again = revision + 1; again <= old.head(); again++) {
                TreeMap<EtcdKey, Character> operations = new TreeMap<>();
                for (Obj.Event event : old.eventsOf(again)) {
                    Obj after = event.after();
                    operations.put(event.key(), after == null ? EtcdModel.DELETE : after.app());
                }
                etcd.transaction(operations);
            }
        }
    }

    /** Accidents stop: everything must converge. */
    void finish() {
        loseNext = false;
        for (int i = 0; i < 2000 && !settled(i); i++) {
            now++;
            if (leader == null) {
                IngesterModel.takeOver(this);
            }
            if (leader != null && i < 1900 && i % 10 == 0) {
                write();
            }
            if (leader != null && !leader.isListing() && damage.isOpen()) {
                leader.beginRelist(List.of());
            }
            if (leader != null) {
                leader.step(random);
            }
        }
        ReaderModel reader = lastReader();
        Violation.unless(reader.live && reader.watermark() == etcd.head(), "no gateway becomes ready at the head");
        Violation.unless(reader.image().equals(etcd.at(etcd.head())), "not equal to etcd at the end");
        readers.clear();
        readers.add(reader);
        for (int round = 0; round < 3; round++) {
            for (ClientModel client : clients) {
                client.wake();
                client.step(random);
            }
        }
    }

    private boolean settled(int step) {
        return step > 400 && leader != null && leader.isDone() && !damage.isOpen();
    }

    private ReaderModel lastReader() {
        ReaderModel reader = new ReaderModel(topic, now);
        try {
            while (!reader.atEnd()) {
                reader.step(now, 1000);
            }
            reader.step(now, 1);
        } catch (ReaderModel.StartAgain e) {
            throw new Violation("the last gateway starts again: " + e.getMessage());
        }
        return reader;
    }
}
