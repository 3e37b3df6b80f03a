package io.watershed.ingest.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.ingest.etcd.EtcdFailure;
import io.watershed.ingest.etcd.RevisionStream;
import io.watershed.log.LogFailure;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever happens to etcd, the log and the ingester, and in whatever order: at the end the log is what etcd holds. */
class RandomHistoriesTest {
    private static final int HISTORIES = 100;
    private static final int STEPS = 120;

    @Test
    void logConvergesToEtcdThroughCrashesAndCompactions() throws Exception {
        Random seeds = new Random();
        for (int history = 0; history < HISTORIES; history++) {
            long seed = seeds.nextLong();
            try {
                run(new Random(seed));
            } catch (Exception | AssertionError e) {
                throw new AssertionError("seed " + seed + "L", e);
            }
        }
    }

    private static void run(Random random) throws Exception {
        IngestFixture ingest = new IngestFixture();
        ingest.etcd.pages(2, () -> {
            if (random.nextInt(10) == 0) {
                write(ingest.etcd, random);
            }
        });
        Publisher publisher = null;
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(12)) {
                case 0, 1, 2, 3, 4 -> write(ingest.etcd, random);
                case 5 ->
                    ingest.etcd.compact(1 + random.nextLong(ingest.etcd.head().revision()));
                case 6 -> {
                    if (random.nextBoolean()) {
                        ingest.etcd.compact();
                    }
                }
                case 7 -> ingest.etcd.lose("/" + (char) ('a' + random.nextInt(5)));
                case 8 -> publisher = random.nextBoolean() ? null : publisher;
                case 9 -> {
                    int which = random.nextInt(4);
                    boolean after = random.nextBoolean();
                    ingest.log.fail(commit -> !after && commit == which, commit -> after && commit == which);
                }
                default -> publisher = work(ingest, publisher, random);
            }
        }
        ingest.log.fail(commit -> false, commit -> false);
        ingest.etcd.pages(100, () -> {});
        ingest.etcd.lose("none");
        ingest.etcd.put("/last", "1");
        // What etcd has lost and never touched again only an audit finds: a restart with another scope lists
        // everything.
        ingest.identity = IngestFixture.identity("another", 1000);
        Publisher last = ingest.publisher(ingest.lead());
        ingest.etcd.put("/last", "2");
        ingest.follow(last);
        ingest.assertLogEqualsEtcd();
        assertThat(ingest.log.records()).isNotEmpty();
    }

    private static @Nullable Publisher work(IngestFixture ingest, @Nullable Publisher publisher, Random random)
            throws Halted {
        try {
            Publisher leading = publisher == null ? ingest.publisher(ingest.lead()) : publisher;
            ingest.pass(Duration.ofMillis(random.nextInt(3000)));
            if (leading.owesRelist()) {
                leading.relist();
            } else {
                try (RevisionStream stream = leading.resume()) {
                    leading.step(stream);
                }
            }
            return leading;
        } catch (LogFailure e) {
            return null; // as the ingester does: takes over again
        } catch (EtcdFailure e) {
            return publisher;
        }
    }

    private static void write(FakeEtcd etcd, Random random) {
        Map<String, @Nullable String> operations = new LinkedHashMap<>();
        for (int count = 1 + random.nextInt(3); count > 0; count--) {
            String key = "/" + (char) ('a' + random.nextInt(5));
            operations.put(key, random.nextInt(3) == 0 ? null : Integer.toString(random.nextInt(3)));
        }
        etcd.transaction(operations);
    }
}
