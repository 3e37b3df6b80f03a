package io.watershed.ingest.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.ingest.etcd.EtcdFailure;
import io.watershed.ingest.etcd.EtcdSource;
import io.watershed.ingest.etcd.EtcdValue;
import io.watershed.ingest.etcd.Head;
import io.watershed.ingest.etcd.RevisionStream;
import io.watershed.ingest.publish.KafkaWait;
import io.watershed.ingest.publish.ProgressDemand;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BarrierTest {
    private static final InstantSource CLOCK = () -> Instant.ofEpochMilli(1000);

    /** An etcd of which only the head is asked. */
    private static class HeadOnly implements EtcdSource {
        final AtomicInteger reads = new AtomicInteger();

        @Override
        public Head head() throws EtcdFailure {
            return new Head("c1", reads.incrementAndGet());
        }

        @Override
        public long list(long atRevision, Consumer<List<EtcdValue>> page) {
            throw new UnsupportedOperationException();
        }

        @Override
        public RevisionStream stream(long fromRevision) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            // nothing is open
        }
    }

    private final IngesterStatus status = new IngesterStatus(new KafkaWait(InstantSource.system()));
    private final ProgressDemand demand = new ProgressDemand();
    private Barrier barrier = new Barrier(new HeadOnly(), status, demand, CLOCK);

    private Barrier.Answer ask() throws InterruptedException, ExecutionException, TimeoutException {
        return barrier.ask().get(60, TimeUnit.SECONDS);
    }

    private void leads(long watermark) {
        status.set(new IngesterStatus.State(true, "streaming", "1-00000000", "c1", watermark));
    }

    private void with(EtcdSource etcd) {
        barrier.close();
        barrier = new Barrier(etcd, status, demand, CLOCK);
    }

    @AfterEach
    void close() {
        barrier.close();
    }

    @Test
    void answersWithEtcdsRevisionAndTheLogsGeneration() throws Exception {
        leads(1);

        assertThat(ask()).isEqualTo(new Barrier.Answer(1, "1-00000000", "c1", null));
    }

    @Test
    void requestJoinsOnlyAReadThatHasNotStarted() throws Exception {
        leads(0);
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        with(new HeadOnly() {
            @Override
            public Head head() throws EtcdFailure {
                Head head = super.head();
                started.countDown();
                try {
                    assertThat(goOn.await(60, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return head;
            }
        });

        CompletableFuture<Barrier.Answer> first = barrier.ask();
        assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Barrier.Answer> second = barrier.ask();
        CompletableFuture<Barrier.Answer> third = barrier.ask();
        goOn.countDown();

        assertThat(first.get(60, TimeUnit.SECONDS).revision()).isEqualTo(1);
        assertThat(second.get(60, TimeUnit.SECONDS).revision()).isEqualTo(2);
        assertThat(third.get(60, TimeUnit.SECONDS).revision())
                .as("all who waited share the next read")
                .isEqualTo(2);
    }

    @Test
    void publishingWhileEtcdIsReadIsNoOtherHistory() throws Exception {
        leads(1);
        with(new HeadOnly() {
            @Override
            public Head head() throws EtcdFailure {
                Head head = super.head();
                leads(9); // the next revisions are written and published before the answer is looked at
                return head;
            }
        });

        assertThat(ask().refusal()).isNull();
    }

    @Test
    void refusesWhenEtcdIsBehindTheLogOrAnother() throws Exception {
        leads(100);
        assertThat(ask().refusal()).contains("at revision 1", "at 100");

        status.set(new IngesterStatus.State(true, "streaming", "1-00000000", "c2", 0));
        assertThat(ask().refusal()).contains("cluster c1", "cluster c2");
    }

    @Test
    void refusesBeforeTheLogWasRead() throws Exception {
        status.unready("Kafka is away");

        assertThat(ask().refusal()).contains("Kafka is away");
    }

    @Test
    void refusesWithEtcdsReasonWhenItDoesNotAnswer() throws Exception {
        leads(1);
        with(new HeadOnly() {
            @Override
            public Head head() throws EtcdFailure {
                throw new EtcdFailure.Unavailable("etcd is away");
            }
        });

        assertThat(ask().refusal()).isEqualTo("etcd is away");
    }
}
