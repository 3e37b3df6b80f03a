package io.watershed.log.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.watershed.log.AppendedRecord;
import io.watershed.log.Entry;
import io.watershed.log.Generation;
import io.watershed.log.LogFailure;
import io.watershed.testkit.BrokerProcess;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class FencedWriterIT {
    @RegisterExtension
    static final SharedBroker BROKER = new SharedBroker();

    @Test
    void commitsWholeGroupsInOrderWithADenseSequence() throws LogFailure {
        LogSettings settings = Topics.created(SharedBroker.settings());
        try (FencedWriter writer = Topics.writer(settings)) {
            assertThat(writer.commit(List.of(Topics.change("/a", 2), Topics.change("/b", 3), Topics.progress(3))))
                    .isEqualTo(3);
            assertThat(writer.commit(List.of(Topics.change("/c", 4)))).isEqualTo(4);
            List<AppendedRecord> records = Topics.readAll(settings);
            assertThat(Topics.revisions(records)).containsExactly(2L, 3L, 3L, 4L);
            assertThat(Topics.sequences(records)).containsExactly(1L, 2L, 3L, 4L);
            assertThat(records.get(3).offset()).isEqualTo(writer.lastOffset());
            assertThat(records.get(0).record().generation()).isEqualTo(Topics.GENERATION);
        }
    }

    @Test
    void goesOnWithSequenceAndGenerationWhereTheLogEnds() throws LogFailure {
        LogSettings settings = Topics.created(SharedBroker.settings());
        long lastOffset;
        try (FencedWriter first = Topics.writer(settings)) {
            first.commit(List.of(Topics.change("/a", 2), Topics.change("/b", 3)));
            lastOffset = first.lastOffset();
        }
        Generation next = new Generation(2, "00000001");
        try (FencedWriter second = FencedWriter.open(settings, Topics.PATIENCE)) {
            second.resumeAt(Topics.GENERATION, 2, lastOffset);
            second.commit(List.of(Topics.change("/c", 4)));
            second.startGeneration(next);
            assertThat(second.commit(List.of(Topics.change("/d", 5)))).isEqualTo(4);
        }
        List<AppendedRecord> records = Topics.readAll(settings);
        assertThat(Topics.sequences(records)).containsExactly(1L, 2L, 3L, 4L);
        assertThat(records.get(3).record().generation()).isEqualTo(next);
    }

    @Test
    void laterWriterFencesTheEarlierOneForGood() throws LogFailure {
        LogSettings settings = Topics.created(SharedBroker.settings());
        try (FencedWriter paused = Topics.writer(settings)) {
            paused.commit(List.of(Topics.change("/a", 2)));
            try (FencedWriter leader = FencedWriter.open(settings, Topics.PATIENCE)) {
                leader.resumeAt(Topics.GENERATION, 1, paused.lastOffset());
                leader.commit(List.of(Topics.change("/a", 4)));
                assertThatThrownBy(() -> paused.commit(List.of(Topics.change("/a", 3))))
                        .isInstanceOf(LogFailure.Fenced.class)
                        .hasMessageContaining(settings.topic());
                assertThatThrownBy(() -> paused.commit(List.of(Topics.change("/a", 3))))
                        .isInstanceOf(LogFailure.InDoubt.class);
                leader.commit(List.of(Topics.change("/a", 5)));
            }
        }
        assertThat(Topics.revisions(Topics.readAll(settings))).containsExactly(2L, 4L, 5L);
    }

    @Test
    void openingAbortsWhatThePredecessorLeftOpen() throws Exception {
        LogSettings settings = Topics.created(SharedBroker.settings());
        try (KafkaProducer<byte[], byte[]> dying = Topics.producer(settings, Topics.transactional(settings))) {
            dying.initTransactions();
            dying.beginTransaction();
            dying.send(new ProducerRecord<>(settings.topic(), 0, "half".getBytes(UTF_8), new byte[3]))
                    .get();
            try (FencedWriter writer = Topics.writer(settings)) {
                writer.commit(List.of(Topics.change("/a", 2)));
            }
            assertThat(Topics.revisions(Topics.readAll(settings))).containsExactly(2L);
        }
    }

    @Test
    void encodingThatFailsPublishesNothingOfItsGroup() throws LogFailure {
        LogSettings settings = Topics.created(SharedBroker.settings());
        try (FencedWriter writer = Topics.writer(settings)) {
            List<Entry> group = List.of(Topics.change("/a", 2), Topics.change("!watershed/progress", 3));
            assertThatThrownBy(() -> writer.commit(group)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> writer.commit(List.of(Topics.change("/b", 4))))
                    .isInstanceOf(LogFailure.InDoubt.class);
        }
        try (FencedWriter next = Topics.writer(settings)) {
            next.commit(List.of(Topics.change("/c", 5)));
        }
        assertThat(Topics.revisions(Topics.readAll(settings))).containsExactly(5L);
    }

    @Test
    void commitsAGiantRevisionAsOneTransaction() throws LogFailure {
        LogSettings settings = Topics.created(SharedBroker.settings());
        List<Entry> entries = LongStream.rangeClosed(1, 25_000)
                .mapToObj(revision -> Topics.change("/k/" + revision, revision))
                .toList();
        try (FencedWriter writer = Topics.writer(settings)) {
            assertThat(writer.commit(entries)).isEqualTo(25_000);
        }
        assertThat(Topics.sequences(Topics.readAll(settings)))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 25_000).boxed().toList());
    }

    @Test
    void whatFitsIsAcceptedByTheBrokerAndTheRestNeverGetsThere() throws LogFailure {
        LogSettings settings = Topics.created(SharedBroker.settings());
        Entry large = Topics.change("/large", 2, incompressible(16_640_000));
        Entry tooLarge = Topics.change("/large", 3, incompressible(16_720_000));
        try (FencedWriter writer = Topics.writer(settings)) {
            assertThat(writer.fits(tooLarge)).isFalse();
            assertThat(writer.fits(large)).isTrue();
            writer.commit(List.of(large));
            writer.commit(List.of(Topics.change("/after", 4)));
        }
        assertThat(Topics.revisions(Topics.readAll(settings))).containsExactly(2L, 4L);
    }

    @Test
    void fitsIsJudgedByWhatTheTopicTakes() throws LogFailure {
        LogSettings settings = SharedBroker.settings();
        Map<String, String> configs = new java.util.HashMap<>(new TopicRules(settings).required());
        configs.put("max.message.bytes", "4194304");
        Topics.create(settings, configs);
        try (FencedWriter writer = Topics.writer(settings)) {
            Entry fits = Topics.change("/a", 2, incompressible(4_100_000));
            assertThat(writer.fits(Topics.change("/a", 3, incompressible(4_190_000))))
                    .isFalse();
            assertThat(writer.fits(fits)).isTrue();
            writer.commit(List.of(fits));
        }
    }

    /** Letters at random, so that compression gains little beside what any margin allows. */
    private static byte[] incompressible(int length) {
        byte[] bytes = new byte[length];
        new Random(17).nextBytes(bytes);
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (bytes[i] | 0x80);
        }
        return bytes;
    }

    @Test
    void topicMadeAnewUnderTheWriterIsInDoubt() throws LogFailure {
        LogSettings settings = Topics.created(SharedBroker.settings());
        try (FencedWriter writer = Topics.writer(settings)) {
            writer.commit(List.of(Topics.change("/a", 2)));
            writer.commit(List.of(Topics.change("/a", 3)));
            Topics.delete(settings);
            Topics.created(settings);
            assertThatThrownBy(() -> writer.commit(List.of(Topics.change("/a", 4))))
                    .isInstanceOf(LogFailure.InDoubt.class);
        }
        assertThat(Topics.readAll(settings)).isEmpty();
    }

    @Test
    void noticesThatTheBrokerLostTheEndOfTheLog() throws Exception {
        BrokerProcess broker = SharedBroker.process();
        LogSettings settings = Topics.created(SharedBroker.settings());
        Path partition = broker.data().resolve(settings.topic() + "-0");
        try (FencedWriter writer = Topics.writer(settings)) {
            writer.commit(List.of(Topics.change("/a", 2)));
            Topics.awaitMarker(settings, writer);
            long size = Files.size(partition.resolve("00000000000000000000.log"));
            for (long revision = 3; revision < 9; revision++) {
                writer.commit(List.of(Topics.change("/a", revision)));
            }
            broker.kill();
            losePower(broker.data(), partition, size);
            broker.run();
            assertThatThrownBy(() -> writer.commit(List.of(Topics.change("/a", 9))))
                    .isInstanceOf(LogFailure.InDoubt.class)
                    .hasMessageContaining("was acknowledged after " + writer.lastOffset());
        }
        assertThat(Topics.revisions(Topics.readAll(settings))).containsExactly(2L);
    }

    /** What a machine without power leaves at replication factor 1: the log up to some byte, and checkpoints that know nothing. */
    private static void losePower(Path data, Path partition, long size) throws IOException {
        try (FileChannel log =
                FileChannel.open(partition.resolve("00000000000000000000.log"), StandardOpenOption.WRITE)) {
            log.truncate(size);
        }
        List<Path> derived = new ArrayList<>();
        try (Stream<Path> files = Files.list(partition)) {
            files.filter(file -> file.toString().matches(".*\\.(index|timeindex|txnindex|snapshot)"))
                    .forEach(derived::add);
        }
        derived.add(partition.resolve("leader-epoch-checkpoint"));
        derived.add(data.resolve("recovery-point-offset-checkpoint"));
        derived.add(data.resolve("replication-offset-checkpoint"));
        for (Path file : derived) {
            Files.deleteIfExists(file);
        }
    }

    @Test
    void brokerThatDiesLeavesDoubtAndANewWriterGoesOn() throws LogFailure {
        BrokerProcess broker = SharedBroker.process();
        Map<String, String> impatient = Map.of("delivery.timeout.ms", "3000", "request.timeout.ms", "1000");
        LogSettings settings = Topics.created(SharedBroker.settings(Duration.ofHours(1), impatient));
        FencedWriter writer = Topics.writer(settings);
        writer.commit(List.of(Topics.change("/a", 2)));
        broker.kill();
        assertThatThrownBy(() -> writer.commit(List.of(Topics.change("/a", 3))))
                .isInstanceOf(LogFailure.InDoubt.class)
                .hasMessageContaining(broker.bootstrapServers());
        assertTimeoutPreemptively(Topics.PATIENCE, writer::close);
        broker.run();
        try (FencedWriter next = FencedWriter.open(settings, Topics.PATIENCE)) {
            next.resumeAt(Topics.GENERATION, 1, writer.lastOffset());
            next.commit(List.of(Topics.change("/a", 3)));
        }
        assertThat(Topics.revisions(Topics.readAll(settings))).containsExactly(2L, 3L);
    }
}
