package io.watershed.ingest.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.ConnectException;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusMeaningTest {
    private static final URI ENDPOINT = URI.create("http://etcd-1:2379");

    private static EtcdFailure meaning(Status status) {
        return StatusMeaning.of("reading the head", ENDPOINT, new StatusRuntimeException(status));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "OUT_OF_RANGE | etcdserver: mvcc: required revision has been compacted | Compacted | compacted",
                "OUT_OF_RANGE | etcdserver: mvcc: required revision is a future revision | Unavailable | future",
                "PERMISSION_DENIED | etcdserver: permission denied | Refused | etcd.prefixes",
                "UNAUTHENTICATED | etcdserver: invalid auth token | Refused | etcd.password",
                "INVALID_ARGUMENT | etcdserver: user name is empty | Refused | etcd.user",
                "UNAVAILABLE | etcdserver: no leader | Unavailable | etcd.endpoints",
                "DEADLINE_EXCEEDED | context deadline exceeded | Unavailable | leader",
                "RESOURCE_EXHAUSTED | message too large | Unavailable | 256 MiB",
                "UNIMPLEMENTED | unknown service | Refused | 3.4"
            })
    void saysWhatToDo(Status.Code code, String description, String kind, String remedy) {
        EtcdFailure failure = meaning(code.toStatus().withDescription(description));
        assertThat(failure.getClass().getSimpleName()).isEqualTo(kind);
        assertThat(failure)
                .hasMessageContaining("http://etcd-1:2379")
                .hasMessageContaining(description)
                .hasMessageContaining(remedy);
    }

    @Test
    void saysWhyItCouldNotConnect() {
        Status status = Status.UNAVAILABLE
                .withDescription("io exception")
                .withCause(new ConnectException("Connection refused: etcd-1:2379"));
        assertThat(meaning(status)).hasMessageContaining("Connection refused");
    }

    @Test
    void tellsNothingOfTheInsideOfGrpc() {
        assertThat(List.of(
                        meaning(
                                Status.DEADLINE_EXCEEDED.withDescription(
                                        "CallOptions deadline exceeded after 4.999796400s. Name resolution delay 0.000000000 seconds."
                                                + " [closed=[], open=[[buffered_nanos=107211, remote_addr=127.0.0.1/127.0.0.1:2379]]]")),
                        meaning(Status.DEADLINE_EXCEEDED.withDescription(
                                "deadline exceeded after 0.499s. [remote_addr=127.0.0.1/127.0.0.1:2379]")),
                        meaning(Status.UNAVAILABLE.withDescription(
                                "io exception\nChannel Pipeline: [WriteBufferingAndExceptionHandler#0]"))))
                .extracting(Throwable::getMessage)
                .containsExactly(
                        "reading the head at etcd http://etcd-1:2379 failed: no answer in time. It has no leader, is overloaded, or the"
                                + " network drops packets",
                        "reading the head at etcd http://etcd-1:2379 failed: no answer in time. It has no leader, is overloaded, or the"
                                + " network drops packets",
                        "reading the head at etcd http://etcd-1:2379 failed: UNAVAILABLE, io exception. Is etcd running there? See"
                                + " etcd.endpoints");
    }
}
