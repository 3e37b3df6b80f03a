package io.watershed.log.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.watershed.log.AppendedRecord;
import io.watershed.log.LogFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class LogReaderIT {
    private static final Duration POLL = Duration.ofMillis(200);

    @RegisterExtension
    static final SharedBroker BROKER = new SharedBroker();

    @Test
    void readsToTheEndOverTransactionMarkers() throws LogFailure {
        LogSettings settings = Topics.created(SharedBroker.settings());
        try (FencedWriter writer = Topics.writer(settings);
                LogReader reader = LogReader.open(settings)) {
            writer.commit(List.of(Topics.change("/a", 2)));
            writer.commit(List.of(Topics.change("/a", 3)));
            long end = Topics.awaitMarker(settings, writer);
            List<AppendedRecord> records = Topics.readTo(reader, end);
            assertThat(Topics.revisions(records)).containsExactly(2L, 3L);
            assertThat(reader.position()).isEqualTo(end);
            writer.commit(List.of(Topics.change("/a", 4)));
            assertThat(Topics.revisions(Topics.readTo(reader, reader.endOffset())))
                    .containsExactly(4L);
        }
    }

    @Test
    void stopsAtTheStableOffsetWhileATransactionIsOpenAndGoesOnWhenItIsAborted() throws Exception {
        LogSettings settings = Topics.created(SharedBroker.settings());
        try (FencedWriter writer = Topics.writer(settings)) {
            writer.commit(List.of(Topics.change("/a", 2)));
        }
        try (KafkaProducer<byte[], byte[]> dying = Topics.producer(settings, Topics.transactional(settings));
                LogReader reader = LogReader.open(settings)) {
            dying.initTransactions();
            dying.beginTransaction();
            dying.send(new ProducerRecord<>(settings.topic(), 0, "half".getBytes(UTF_8), new byte[3]))
                    .get();
            long end = reader.endOffset();
            long stable = reader.stableOffset();
            assertThat(stable).isLessThan(end);
            assertThat(Topics.revisions(Topics.readTo(reader, stable))).containsExactly(2L);
            assertThat(reader.poll(POLL)).isEmpty();
            assertThat(reader.position()).isEqualTo(stable);
            try (FencedWriter next = FencedWriter.open(settings, Topics.PATIENCE)) {
                next.resumeAt(Topics.GENERATION, 1, end - 1);
                assertThat(Topics.readTo(reader, end)).isEmpty();
                next.commit(List.of(Topics.change("/a", 3)));
            }
            assertThat(Topics.revisions(Topics.readTo(reader, reader.endOffset())))
                    .containsExactly(3L);
            assertThat(reader.stableOffset()).isEqualTo(reader.endOffset());
        }
    }

    @Test
    void abandonedTransactionEndsByItsTimeout() throws Exception {
        LogSettings settings = Topics.created(SharedBroker.settings());
        Map<String, Object> foreign =
                Map.of("transactional.id", "foreign-" + settings.topic(), "transaction.timeout.ms", 1000);
        try (KafkaProducer<byte[], byte[]> dying = Topics.producer(settings, foreign);
                LogReader reader = LogReader.open(settings)) {
            dying.initTransactions();
            dying.beginTransaction();
            dying.send(new ProducerRecord<>(settings.topic(), 0, "half".getBytes(UTF_8), new byte[3]))
                    .get();
            assertThat(Topics.readTo(reader, reader.endOffset())).isEmpty();
        }
    }

    @Test
    void readsToTheEndWhereCompactionRemovedTheLastOffsets() throws LogFailure {
        LogSettings settings = Topics.created(SharedBroker.settings(Duration.ofSeconds(1)));
        try (FencedWriter writer = Topics.writer(settings)) {
            long[] revision = {1};
            Awaitility.await("compaction").atMost(Topics.PATIENCE).until(() -> {
                writer.commit(List.of(Topics.change("/a", ++revision[0])));
                return Topics.readAll(settings).size() < revision[0] - 1;
            });
            List<AppendedRecord> rest = Topics.readAll(settings);
            assertThat(rest.get(rest.size() - 1).record().entry().revision()).isEqualTo(revision[0]);
            assertThat(Topics.sequences(rest)).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void absentTopicIsUnavailableAndSaysWhoCreatesIt() {
        LogSettings settings = SharedBroker.settings();
        assertThatThrownBy(() -> LogReader.open(settings))
                .isInstanceOf(LogFailure.Unavailable.class)
                .hasMessageContaining("topic " + settings.topic() + " does not exist")
                .hasMessageContaining("Start an ingester");
    }

    @Test
    void findsThatTheTopicWasMadeAnewAlthoughItIsLonger() throws LogFailure {
        LogSettings settings = Topics.created(SharedBroker.settings());
        try (FencedWriter writer = Topics.writer(settings)) {
            writer.commit(List.of(Topics.change("/a", 2)));
        }
        try (LogReader reader = LogReader.open(settings)) {
            Topics.readTo(reader, reader.endOffset());
            reader.checkTopicId();
            Topics.delete(settings);
            assertThatThrownBy(reader::checkTopicId)
                    .isInstanceOf(LogFailure.Discontinuity.class)
                    .hasMessageContaining("no longer exists");
            Topics.created(settings);
            try (FencedWriter writer = Topics.writer(settings)) {
                for (long revision = 2; revision < 12; revision++) {
                    writer.commit(List.of(Topics.change("/a", revision)));
                }
            }
            assertThatThrownBy(reader::checkTopicId)
                    .isInstanceOf(LogFailure.Discontinuity.class)
                    .hasMessageContaining("deleted and created again");
        }
    }

    @Test
    void placeThatIsGoneIsADiscontinuityForGood() throws LogFailure {
        LogSettings settings = Topics.created(SharedBroker.settings());
        try (FencedWriter writer = Topics.writer(settings)) {
            for (long revision = 2; revision < 12; revision++) {
                writer.commit(List.of(Topics.change("/a", revision)));
            }
        }
        try (LogReader reader = LogReader.open(settings)) {
            Topics.readTo(reader, reader.endOffset());
            Topics.delete(settings);
            Topics.created(settings);
            Awaitility.await("the loss")
                    .atMost(Topics.PATIENCE)
                    .untilAsserted(() -> assertThatThrownBy(() -> reader.poll(POLL))
                            .isInstanceOf(LogFailure.Discontinuity.class)
                            .hasMessageContaining(settings.topic()));
            assertThatThrownBy(() -> reader.poll(POLL)).isInstanceOf(LogFailure.Discontinuity.class);
        }
    }

    @Test
    void recordThatCannotBeReadIsNeverSkipped() throws Exception {
        LogSettings settings = Topics.created(SharedBroker.settings());
        try (KafkaProducer<byte[], byte[]> foreign = Topics.producer(settings, Map.of())) {
            foreign.send(new ProducerRecord<>(settings.topic(), 0, "/foreign\u0000".getBytes(UTF_8), new byte[3]))
                    .get();
        }
        try (FencedWriter writer = Topics.writer(settings);
                LogReader reader = LogReader.open(settings)) {
            writer.commit(List.of(Topics.change("/a", 2)));
            Awaitility.await("the record")
                    .atMost(Topics.PATIENCE)
                    .untilAsserted(() -> assertThatThrownBy(() -> reader.poll(POLL))
                            .isInstanceOf(LogFailure.Undecodable.class)
                            .hasMessageContaining("offset 0 of topic " + settings.topic())
                            .hasMessageContaining("/foreign\\x00"));
            assertThatThrownBy(() -> reader.poll(POLL)).isInstanceOf(LogFailure.Undecodable.class);
        }
    }

    @Test
    void wakeupEndsAPollThatWaits() throws LogFailure {
        LogSettings settings = Topics.created(SharedBroker.settings());
        try (LogReader reader = LogReader.open(settings)) {
            reader.wakeup();
            assertThat(reader.poll(Duration.ofDays(1))).isEmpty();
        }
    }
}
