package io.watershed.gateway.cache;

import java.util.Comparator;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who waits for a revision, the lowest first.
 *
 * <p><em>Threads:</em> any.
 */
final class Waiters {
    private static final Logger LOGGER = LoggerFactory.getLogger(Waiters.class);

    private final AtomicLong numbers = new AtomicLong();
    private final ConcurrentSkipListSet<Waiter> waiters = new ConcurrentSkipListSet<>(
            Comparator.comparingLong((Waiter waiter) -> waiter.revision).thenComparingLong(waiter -> waiter.number));

    private final class Waiter implements Cancellable {
        private final long revision;
        private final long number = numbers.incrementAndGet();
        private final Consumer<CacheView> then;
        private final AtomicBoolean over = new AtomicBoolean();

        Waiter(long revision, Consumer<CacheView> then) {
            this.revision = revision;
            this.then = then;
        }

        void run(CacheView view) {
            waiters.remove(this);
            if (over.compareAndSet(false, true)) {
                try {
                    then.accept(view);
                } catch (RuntimeException e) {
                    LOGGER.atError()
                            .addKeyValue("revision", revision)
                            .setCause(e)
                            .log("who waited for a revision failed");
                }
            }
        }

        @Override
        public void cancel() {
            over.set(true);
            waiters.remove(this);
        }
    }

    /** Calls back when {@link #wake} has come with the revision; at once if the newest view has it. */
    Cancellable add(long revision, Consumer<CacheView> then, Supplier<CacheView> newest) {
        Waiter waiter = new Waiter(revision, then);
        waiters.add(waiter);
        // Looked at after the waiter was added, so that a view which comes meanwhile is seen here or there.
        CacheView now = newest.get();
        if (now.watermark() >= revision) {
            waiter.run(now);
        }
        return waiter;
    }

    /** Calls back all whose revision is reached. */
    void wake(CacheView view) {
        for (Waiter waiter : waiters) {
            if (waiter.revision > view.watermark()) {
                return;
            }
            waiter.run(view);
        }
    }

    int size() {
        return waiters.size();
    }
}
