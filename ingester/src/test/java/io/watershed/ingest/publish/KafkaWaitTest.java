package io.watershed.ingest.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.watershed.ingest.status.IngesterStatus;
import io.watershed.log.LogFailure;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class KafkaWaitTest {
    private long nowMillis = 1_000_000;
    private final KafkaWait wait = new KafkaWait(() -> Instant.ofEpochMilli(nowMillis));
    private final IngesterStatus status = new IngesterStatus(wait);

    @Test
    void anIngesterIsNotReadyWhileACommitHasHadNoAnswerForSomeSeconds() throws Exception {
        status.set(new IngesterStatus.State(true, "streaming", "1-00000000", "c1", 7));

        String committed = wait.during("a commit to topic t at Kafka k:1", () -> {
            nowMillis += 4_999;
            assertThat(status.readiness().ready()).isTrue();
            nowMillis += 2_001;
            assertThat(status.readiness())
                    .isEqualTo(new IngesterStatus.State(
                            false,
                            "a commit to topic t at Kafka k:1 has had no answer for 7 s. Is the broker alive, and reachable?"
                                    + " See kafka.bootstrapServers",
                            "1-00000000",
                            "c1",
                            7));
            return "done";
        });

        assertThat(committed).isEqualTo("done");
        assertThat(status.readiness().ready()).isTrue();
    }

    @Test
    void aCommitThatFailedIsNotWaitedFor() {
        assertThatThrownBy(() -> wait.during("a commit", () -> {
                    nowMillis += 60_000;
                    throw new LogFailure.InDoubt("no");
                }))
                .isInstanceOf(LogFailure.InDoubt.class);

        assertThat(wait.longerThan(Duration.ofSeconds(5))).isNull();
    }

    @Test
    void whyItWasNotReadyBeforeIsNotHidden() throws Exception {
        status.unready("relisting etcd");

        wait.during("a commit", () -> {
            nowMillis += 60_000;
            assertThat(status.readiness().text()).isEqualTo("relisting etcd");
            return "done";
        });
    }
}
