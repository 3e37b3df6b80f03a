package io.watershed.ingest.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.watershed.log.EtcdKey;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResponseAssemblyTest {
    private final List<KeyRange> ranges = KeyRange.ofPrefixes(List.of(EtcdKey.utf8("/a/"), EtcdKey.utf8("/b/")));
    private final RevisionRelease release = new RevisionRelease(2, Events.everything(), 1);
    private final ResponseAssembly assembly =
            new ResponseAssembly(URI.create("http://127.0.0.1:2379"), ranges, release);

    private void stands() throws EtcdFailure {
        assembly.accept(Responses.created(1, 50));
        assembly.accept(Responses.created(2, 50));
    }

    @Test
    void asksForFragmentsAndProgressUnderItsOwnIds() throws InvalidProtocolBufferException {
        WatchRequest request = WatchRequest.parseFrom(assembly.create(1, 42).toByteString());
        assertThat(request.getCreateRequest().getKey().toStringUtf8()).isEqualTo("/b/");
        assertThat(request.getCreateRequest().getRangeEnd().toStringUtf8()).isEqualTo("/b0");
        assertThat(request.getCreateRequest().getStartRevision()).isEqualTo(42);
        assertThat(request.getCreateRequest().getProgressNotify()).isTrue();
        assertThat(request.getCreateRequest().getPrevKv()).isFalse();
        UnknownFieldSet extras = request.getCreateRequest().getUnknownFields();
        assertThat(extras.getField(7).getVarintList()).containsExactly(2L);
        assertThat(extras.getField(8).getVarintList()).containsExactly(1L);
    }

    @Test
    void takesNoProgressFromCreated() throws EtcdFailure {
        stands();
        assertThat(assembly.isComplete()).isTrue();
        assertThat(release.release().upTo()).isEqualTo(1);
        assertThat(assembly.progressSeen()).isFalse();
    }

    @Test
    void takesNoProgressFromTheHeaderOfEvents() throws EtcdFailure {
        stands();
        assembly.accept(Responses.events(1, 50).put("/a/x", 7).build());
        assembly.accept(Responses.progress(2, 9));
        Released released = release.release();
        assertThat(Events.text(released.revisions())).containsExactly("7: put /a/x");
        assertThat(released.upTo()).isEqualTo(7);
    }

    @Test
    void takesProgressOfOneWatchForThatWatch() throws EtcdFailure {
        stands();
        assembly.accept(Responses.progress(1, 9));
        assertThat(release.release().upTo()).isEqualTo(1);
        assembly.accept(Responses.progress(2, 8));
        assertThat(release.release().upTo()).isEqualTo(8);
        assertThat(assembly.progressSeen()).isTrue();
    }

    @Test
    void takesProgressOfTheStreamForEveryWatch() throws EtcdFailure {
        stands();
        assembly.accept(Responses.progress(-1, 9));
        assertThat(release.release().upTo()).isEqualTo(9);
    }

    @Test
    void takesNoProgressOfTheStreamBeforeAllWatchesStand() throws EtcdFailure {
        assembly.accept(Responses.created(1, 50));
        assembly.accept(Responses.progress(-1, 9));
        assembly.accept(Responses.created(2, 50));
        assertThat(release.release().upTo()).isEqualTo(1);
    }

    @Test
    void joinsTheFragmentsOfARevision() throws EtcdFailure {
        stands();
        assembly.accept(Responses.progress(2, 9));
        assembly.accept(
                Responses.events(1, 50).put("/a/x", 7).put("/a/y", 7).fragment().build());
        assertThat(release.release().revisions()).isEmpty();
        assembly.accept(Responses.events(1, 50).put("/a/z", 7).fragment().build());
        assertThat(release.release().upTo()).isEqualTo(1);
        assembly.accept(Responses.events(1, 50).delete("/a/u", 7).build());
        assertThat(Events.text(release.release().revisions()))
                .containsExactly("7: delete /a/u, put /a/x, put /a/y, put /a/z");
    }

    @Test
    void handsOnWhatLiesBeforeTheLastRevisionOfAFragment() throws EtcdFailure {
        stands();
        assembly.accept(Responses.progress(2, 9));
        assembly.accept(Responses.events(1, 50)
                .put("/a/x", 6)
                .put("/a/x", 7)
                .put("/a/x", 8)
                .fragment()
                .build());
        Released released = release.release();
        assertThat(Events.text(released.revisions())).containsExactly("6: put /a/x", "7: put /a/x");
        assertThat(released.upTo()).isEqualTo(7);
        assembly.accept(Responses.events(1, 50).put("/a/y", 8).build());
        assertThat(Events.text(release.release().revisions())).containsExactly("8: put /a/x, put /a/y");
    }

    @Test
    void takesNoProgressInTheMidstOfFragments() throws EtcdFailure {
        stands();
        assembly.accept(Responses.progress(2, 9));
        assembly.accept(Responses.events(1, 50).put("/a/x", 7).fragment().build());
        assembly.accept(Responses.progress(1, 9));
        assembly.accept(Responses.progress(-1, 9));
        assertThat(release.release().upTo()).isEqualTo(1);
    }

    @Test
    void endsWhenRevisionsOfAResponseDescend() throws EtcdFailure {
        stands();
        WatchResponse response =
                Responses.events(1, 50).put("/a/x", 7).put("/a/y", 6).build();
        assertThatThrownBy(() -> assembly.accept(response))
                .isInstanceOf(EtcdFailure.Unavailable.class)
                .hasMessageContaining("sent revision 6 of [/a/, /a0) after 7");
    }

    @Test
    void tellsCompactionAndWhatIsStillThere() throws EtcdFailure {
        stands();
        EtcdFailure.Compacted compacted = catchThrowableOfType(
                EtcdFailure.Compacted.class,
                () -> assembly.accept(Responses.canceled(1, "").toBuilder()
                        .setCompactRevision(40)
                        .build()));
        assertThat(compacted.compactRevision()).isEqualTo(40);
        assertThat(compacted).hasMessageContaining("keeps revisions from 40 on");
    }

    @Test
    void namesTheRangeThatMayNotBeRead() throws EtcdFailure {
        assembly.accept(Responses.created(1, 50));
        WatchResponse refusal = Responses.canceled(-1, "rpc error: etcdserver: permission denied").toBuilder()
                .setCreated(true)
                .build();
        assertThatThrownBy(() -> assembly.accept(refusal))
                .isInstanceOf(EtcdFailure.Refused.class)
                .hasMessageContaining("[/b/, /b0)")
                .hasMessageContaining("Grant the user read rights");
    }

    @Test
    void endsOnAnyOtherCancellation() {
        WatchResponse canceled = Responses.canceled(-1, "etcdserver: invalid auth token").toBuilder()
                .setCreated(true)
                .build();
        assertThatThrownBy(() -> assembly.accept(canceled))
                .isInstanceOf(EtcdFailure.Unavailable.class)
                .hasMessageContaining("invalid auth token");
    }

    @Test
    void endsOnAWatchThatIsNotOurs() throws EtcdFailure {
        stands();
        for (WatchResponse strange : List.of(
                Responses.events(3, 50).put("/a/x", 7).build(), Responses.progress(0, 9), Responses.created(7, 9))) {
            assertThatThrownBy(() -> assembly.accept(strange))
                    .isInstanceOf(EtcdFailure.Unavailable.class)
                    .hasMessageContaining("did not open");
        }
    }
}
