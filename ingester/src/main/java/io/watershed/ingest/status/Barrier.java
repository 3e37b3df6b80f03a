package io.watershed.ingest.status;

import io.watershed.ingest.etcd.EtcdFailure;
import io.watershed.ingest.etcd.EtcdSource;
import io.watershed.ingest.etcd.Head;
import io.watershed.ingest.publish.ProgressDemand;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * etcd's present revision for those who must not be answered with less. One read at a time; a request joins only a read that has not
 * started (B1), so that what it learns is not older than its question. At most a hundred reads a second, whoever asks.
 *
 * <p><em>Threads:</em> any may ask; one thread reads.
 */
public final class Barrier implements AutoCloseable {
    private static final long APART_MILLIS = 10;

    /** Either an answer, or why there is none. */
    public record Answer(
            long revision,
            @Nullable String generation,
            @Nullable String clusterId,
            @Nullable String refusal) {}

    private final EtcdSource etcd;
    private final IngesterStatus status;
    private final ProgressDemand demand;
    private final InstantSource clock;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> new Thread(task, "barrier"));
    private final Object lock = new Object();
    private boolean running; // a read, or the pause after one
    private List<CompletableFuture<Answer>> waiting = new ArrayList<>();

    public Barrier(EtcdSource etcd, IngesterStatus status, ProgressDemand demand, InstantSource clock) {
        this.etcd = etcd;
        this.status = status;
        this.demand = demand;
        this.clock = clock;
    }

    public CompletableFuture<Answer> ask() {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        synchronized (lock) {
            waiting.add(answer);
            if (!running) {
                running = true;
                thread.execute(this::readWhileAsked);
            }
        }
        return answer;
    }

    private void readWhileAsked() {
        List<CompletableFuture<Answer>> asked = take();
        while (!asked.isEmpty()) {
            Answer answer = answer();
            asked.forEach(one -> one.complete(answer));
            pause();
            asked = take();
        }
    }

    private List<CompletableFuture<Answer>> take() {
        synchronized (lock) {
            List<CompletableFuture<Answer>> asked = waiting;
            waiting = new ArrayList<>();
            running = !asked.isEmpty();
            return asked;
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(APART_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Answer answer() {
        long before = clock.millis();
        // Taken before the read: what is published meanwhile may well be above it.
        IngesterStatus.State state = status.state();
        Head head;
        try {
            head = etcd.head();
        } catch (EtcdFailure e) {
            return refused(e.getMessage());
        }
        if (state.generation() == null) {
            return refused("this ingester has not read the log yet: " + state.text());
        }
        if (!head.clusterId().equals(state.clusterId()) || head.revision() < state.revision()) {
            return refused("etcd is not the history that the log reflects: cluster " + head.clusterId()
                    + " at revision " + head.revision() + ", the log is of cluster " + state.clusterId() + " at "
                    + state.revision());
        }
        demand.ask(head.revision(), before);
        return new Answer(head.revision(), state.generation(), state.clusterId(), null);
    }

    static Answer refused(@Nullable String why) {
        return new Answer(0, null, null, why == null ? "no reason given" : why);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
