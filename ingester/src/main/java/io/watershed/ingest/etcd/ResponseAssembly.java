package io.watershed.ingest.etcd;

import com.google.protobuf.UnknownFieldSet;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.watershed.log.EtcdKey;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * What the responses of one stream say: tells events, progress and ends apart, joins fragments, and feeds the release. Pure.
 *
 * <p>What counts as progress of a watch is only the last event of a revision that has come whole, and a response without events that is
 * neither {@code created} nor {@code canceled}. The header of a response with events names the store's revision, of which more may be
 * to come, and so does that of {@code created}.
 *
 * <p>Watches have the ids 1, 2, … in the order of their ranges.
 *
 * <p><em>Threads:</em> confined to its owner.
 */
final class ResponseAssembly {
    /** Fields that etcd has since 3.4 and jetcd's protocol lacks. */
    static final int CREATE_WATCH_ID = 7;

    static final int CREATE_FRAGMENT = 8;
    static final int RESPONSE_FRAGMENT = 7;
    /** The id of a progress response that is for all watches of the stream. */
    static final long WHOLE_STREAM = -1;
    /** Of one revision that comes in fragments: far more than a million deletes. */
    private static final long REVISION_LIMIT_BYTES = 256L << 20;

    /** The part of a watch's last revision that has come. */
    private static final class Open {
        private final List<EtcdEvent> events = new ArrayList<>();
        private long bytes;
    }

    private final URI endpoint;
    private final List<KeyRange> ranges;
    private final RevisionRelease release;
    private final List<Open> open = new ArrayList<>();
    private int created;
    private boolean progressSeen;

    ResponseAssembly(URI endpoint, List<KeyRange> ranges, RevisionRelease release) {
        this.endpoint = endpoint;
        this.ranges = ranges;
        this.release = release;
        ranges.forEach(range -> open.add(new Open()));
    }

    /** What opens the watch of a range. */
    WatchRequest create(int range, long fromRevision) {
        UnknownFieldSet extras = UnknownFieldSet.newBuilder()
                .addField(CREATE_WATCH_ID, number(range + 1L))
                .addField(CREATE_FRAGMENT, number(1))
                .build();
        return WatchRequest.newBuilder()
                .setCreateRequest(WatchCreateRequest.newBuilder()
                        .setKey(GrpcEtcdSource.bytes(ranges.get(range).start()))
                        .setRangeEnd(GrpcEtcdSource.bytes(ranges.get(range).end()))
                        .setStartRevision(fromRevision)
                        .setProgressNotify(true)
                        .setUnknownFields(extras))
                .build();
    }

    private static UnknownFieldSet.Field number(long value) {
        return UnknownFieldSet.Field.newBuilder().addVarint(value).build();
    }

    /** Takes one response in. A failure means that the stream is of no more use. */
    void accept(WatchResponse response) throws EtcdFailure {
        if (response.getCanceled()) {
            throw canceled(response);
        }
        if (response.getCreated()) {
            range(response);
            created++;
        } else if (response.getEventsCount() > 0 || isFragment(response)) {
            events(range(response), response);
        } else {
            progress(response);
        }
    }

    private void events(int range, WatchResponse response) throws EtcdFailure {
        Open rest = open.get(range);
        for (Event event : response.getEventsList()) {
            add(range, rest, event(event));
        }
        if (!isFragment(response)) {
            hand(range, rest);
        }
    }

    /**
     * A fragment may end inside a revision, and the next one goes on with it; what lies before that revision is whole, since etcd sends
     * the events of a watch in order. A backlog of many large revisions comes as fragments of one response, and must not pile up here.
     */
    private void add(int range, Open rest, EtcdEvent event) throws EtcdFailure {
        if (!rest.events.isEmpty()) {
            long last = rest.events.get(rest.events.size() - 1).revision();
            if (event.revision() < last) {
                throw new EtcdFailure.Unavailable("etcd " + endpoint + " sent revision " + event.revision() + " of "
                        + ranges.get(range) + " after " + last + " in one response");
            }
            if (event.revision() > last) {
                hand(range, rest);
            }
        }
        rest.events.add(event);
        rest.bytes += RevisionRelease.bytes(event);
        if (rest.bytes > REVISION_LIMIT_BYTES) {
            throw new EtcdFailure.Unavailable("revision " + event.revision() + " of etcd " + endpoint
                    + " is larger than " + (REVISION_LIMIT_BYTES >> 20)
                    + " MiB. Change fewer keys in one transaction, and compact this revision away");
        }
    }

    private void hand(int range, Open whole) {
        release.events(range, whole.events);
        whole.events.clear();
        whole.bytes = 0;
    }

    private void progress(WatchResponse response) throws EtcdFailure {
        long revision = response.getHeader().getRevision();
        if (response.getWatchId() != WHOLE_STREAM) {
            int range = range(response);
            progressSeen = true;
            if (open.get(range).events.isEmpty()) {
                release.progress(range, revision);
            }
        } else if (created == ranges.size() && open.stream().allMatch(rest -> rest.events.isEmpty())) {
            // Says that every watch of the stream has all: nothing about those that were still to be created.
            progressSeen = true;
            release.progressOfAll(revision);
        }
    }

    private int range(WatchResponse response) throws EtcdFailure {
        long id = response.getWatchId();
        if (id < 1 || id > ranges.size()) {
            throw new EtcdFailure.Unavailable("etcd " + endpoint + " names a watch that we did not open: " + id);
        }
        return (int) id - 1;
    }

    private EtcdFailure canceled(WatchResponse response) {
        if (response.getCompactRevision() > 0) {
            return new EtcdFailure.Compacted(
                    response.getCompactRevision(),
                    "etcd " + endpoint + " has compacted what the watch must read next; it keeps revisions from "
                            + response.getCompactRevision() + " on");
        }
        // A watch that could not be created is canceled under the id −1: the one after those that could.
        long id = response.getWatchId() < 1 ? created + 1L : response.getWatchId();
        KeyRange range = ranges.get((int) Math.min(id, ranges.size()) - 1);
        return StatusMeaning.ofCancellation(endpoint, range, response.getCancelReason());
    }

    /** Whether every watch stands, so that progress may be asked for. */
    boolean isComplete() {
        return created == ranges.size();
    }

    /** Whether etcd has ever told its progress on this stream. */
    boolean progressSeen() {
        return progressSeen;
    }

    private static boolean isFragment(WatchResponse response) {
        List<Long> fragment =
                response.getUnknownFields().getField(RESPONSE_FRAGMENT).getVarintList();
        return !fragment.isEmpty() && fragment.get(fragment.size() - 1) != 0;
    }

    private static EtcdEvent event(Event event) {
        return event.getType() == Event.EventType.DELETE
                ? new EtcdEvent.Delete(
                        EtcdKey.of(event.getKv().getKey().toByteArray()),
                        event.getKv().getModRevision())
                : new EtcdEvent.Put(GrpcEtcdSource.value(event.getKv()));
    }
}
