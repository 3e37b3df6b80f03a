package io.watershed.ingest.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.MeterRegistry;
import io.watershed.log.EtcdKey;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link EtcdSource} over gRPC. */
final class GrpcEtcdSource implements EtcdSource {
    private static final Logger LOGGER = LoggerFactory.getLogger(GrpcEtcdSource.class);
    /** Of events that wait for a range that has not passed them. */
    static final long WAITING_LIMIT_BYTES = 256L << 20;

    private static final ByteString ZERO = ByteString.copyFrom(new byte[1]);

    private final EtcdMembers members;
    private final KeyFilter filter;
    private final List<KeyRange> ranges;
    private final WatchSession.Surroundings around;
    private @Nullable WatchSession last;

    GrpcEtcdSource(EtcdSettings settings, MeterRegistry meters, LongSupplier nanos, long waitingLimitBytes) {
        this.members = new EtcdMembers(settings);
        this.filter = new KeyFilter(settings.prefixes(), settings.exclude());
        this.ranges = KeyRange.ofPrefixes(settings.prefixes());
        this.around = new WatchSession.Surroundings(new StreamMeters(meters), nanos, waitingLimitBytes);
    }

    @Override
    public Head head() throws EtcdFailure {
        RangeResponse response =
                members.call("reading the head", member -> member.reads().range(headRequest(ranges.get(0))));
        return new Head(
                Long.toHexString(response.getHeader().getClusterId()),
                response.getHeader().getRevision());
    }

    /** Linearizable, and reads next to nothing: the one key at the start of the first range, so rights on that range suffice. */
    static RangeRequest headRequest(KeyRange range) {
        return RangeRequest.newBuilder()
                .setKey(bytes(range.start()))
                .setLimit(1)
                .setKeysOnly(true)
                .build();
    }

    @Override
    public long list(long atRevision, Consumer<List<EtcdValue>> page) throws EtcdFailure {
        PageSize size = new PageSize(members.oldestVersion().cheapPages());
        long pinned = atRevision;
        for (KeyRange range : ranges) {
            pinned = listRange(range, pinned, size, page);
        }
        return pinned;
    }

    private long listRange(KeyRange range, long atRevision, PageSize size, Consumer<List<EtcdValue>> page)
            throws EtcdFailure {
        long pinned = atRevision;
        ByteString start = bytes(range.start());
        while (true) {
            RangeResponse response = page(range, start, pinned, size);
            // Only the first answer's revision is the list's: later headers name the head of their own time.
            pinned = pinned == 0 ? response.getHeader().getRevision() : pinned;
            List<EtcdValue> values = response.getKvsList().stream()
                    .map(GrpcEtcdSource::value)
                    .filter(value -> filter.includes(value.key()))
                    .toList();
            if (!values.isEmpty()) {
                page.accept(values);
            }
            if (!response.getMore()) {
                return pinned;
            }
            start = response.getKvs(response.getKvsCount() - 1).getKey().concat(ZERO);
            size.came(response.getKvsCount(), response.getSerializedSize());
        }
    }

    private RangeResponse page(KeyRange range, ByteString start, long atRevision, PageSize size) throws EtcdFailure {
        while (true) {
            RangeRequest request = RangeRequest.newBuilder()
                    .setKey(start)
                    .setRangeEnd(bytes(range.end()))
                    .setLimit(size.keys())
                    .setRevision(atRevision)
                    .build();
            Optional<RangeResponse> response =
                    members.call("listing " + range, member -> unlessTooLarge(member, request, size));
            if (response.isPresent()) {
                return response.get();
            }
        }
    }

    private static Optional<RangeResponse> unlessTooLarge(EtcdMember member, RangeRequest request, PageSize size) {
        try {
            return Optional.of(member.pages().range(request));
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.RESOURCE_EXHAUSTED && size.shrink()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public RevisionStream stream(long fromRevision) throws EtcdFailure {
        EtcdVersion version = members.oldestVersion();
        // S2: below the gate ranges can't be told to be in step, so one range covers all and the filter does the rest.
        // The same helps
        // when one range has so much to catch up with that the others' progress comes too late.
        boolean cover = !version.trustworthyProgress() || (last != null && last.tooMuchWaited());
        List<KeyRange> watched = cover ? List.of(KeyRange.covering(ranges)) : ranges;
        if (watched.size() < ranges.size()) {
            LOGGER.atInfo()
                    .addKeyValue("etcd", version)
                    .addKeyValue("range", watched.get(0))
                    .log("watching one range over all prefixes");
        }
        try {
            WatchSession session = new WatchSession(members, version, watched, filter, fromRevision, around);
            last = session;
            return session;
        } catch (StatusRuntimeException e) {
            throw StatusMeaning.of("watching", members.current().endpoint(), e);
        }
    }

    static EtcdValue value(KeyValue kv) {
        return new EtcdValue(
                EtcdKey.of(kv.getKey().toByteArray()),
                kv.getValue().toByteArray(),
                kv.getCreateRevision(),
                kv.getModRevision(),
                kv.getVersion(),
                kv.getLease());
    }

    static ByteString bytes(EtcdKey key) {
        return UnsafeByteOperations.unsafeWrap(key.bytes());
    }

    @Override
    public void close() {
        members.close();
    }
}
