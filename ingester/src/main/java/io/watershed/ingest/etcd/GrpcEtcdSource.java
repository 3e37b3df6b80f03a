package io.watershed.ingest.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.MeterRegistry;
import io.watershed.log.EtcdKey;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** {@link EtcdSource} over gRPC. */
final class GrpcEtcdSource implements EtcdSource {
    private static final int FIRST_PAGE = 500;
    private static final int LARGEST_PAGE = 10_000;
    private static final int PAGE_BYTES = 3 << 20;

    private final EtcdChannels channels;
    private final KeyFilter filter;
    private final List<KeyRange> ranges;
    private final MeterRegistry meters;
    private final LongSupplier nanos;

    GrpcEtcdSource(EtcdSettings settings, MeterRegistry meters, LongSupplier nanos) {
        this.channels = new EtcdChannels(settings);
        this.filter = new KeyFilter(settings.prefixes(), settings.exclude());
        this.ranges = KeyRange.ofPrefixes(settings.prefixes());
        this.meters = meters;
        this.nanos = nanos;
    }

    @Override
    public Head head() throws EtcdFailure {
        RangeResponse response = channels.call(
                "reading the head", channel -> EtcdChannels.kv(channel).range(headRequest(ranges.get(0))));
        return new Head(
                Long.toHexString(response.getHeader().getClusterId()),
                response.getHeader().getRevision());
    }

    /** Linearizable, and reads nothing: one absent key beyond the start of the first range, so that rights on that range suffice. */
    static RangeRequest headRequest(KeyRange range) {
        return RangeRequest.newBuilder()
                .setKey(bytes(range.start()))
                .setLimit(1)
                .setKeysOnly(true)
                .build();
    }

    @Override
    public long list(long atRevision, Consumer<List<EtcdValue>> page) throws EtcdFailure {
        long pinned = atRevision;
        boolean cheapPages = channels.oldestVersion().cheapPages();
        for (KeyRange range : ranges) {
            pinned = listRange(range, pinned, cheapPages ? FIRST_PAGE : LARGEST_PAGE, cheapPages, page);
        }
        return pinned;
    }

    private long listRange(
            KeyRange range, long atRevision, int firstPage, boolean adapt, Consumer<List<EtcdValue>> page)
            throws EtcdFailure {
        long pinned = atRevision;
        long limit = firstPage;
        ByteString start = bytes(range.start());
        while (true) {
            RangeRequest request = RangeRequest.newBuilder()
                    .setKey(start)
                    .setRangeEnd(bytes(range.end()))
                    .setLimit(limit)
                    .setRevision(pinned)
                    .build();
            RangeResponse response = channels.call(
                    "listing " + range.start(),
                    channel -> EtcdChannels.kv(channel)
                            .withDeadlineAfter(60, java.util.concurrent.TimeUnit.SECONDS)
                            .range(request));
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
            start = response.getKvs(response.getKvsCount() - 1).getKey().concat(ByteString.copyFrom(new byte[1]));
            if (adapt) {
                limit = Math.max(
                        50, Math.min(LARGEST_PAGE, limit * PAGE_BYTES / Math.max(1, response.getSerializedSize())));
            }
        }
    }

    @Override
    public RevisionStream stream(long fromRevision) throws EtcdFailure {
        EtcdVersion version = channels.oldestVersion();
        // S2: below the gate ranges can't be told to be in step, so one range covers all and the filter does the rest.
        List<KeyRange> watched = version.trustworthyProgress() ? ranges : List.of(KeyRange.covering(ranges));
        try {
            return new WatchSession(channels, version, watched, filter, fromRevision, meters, nanos);
        } catch (StatusRuntimeException e) {
            throw channels.describe("watching", e);
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
        channels.close();
    }
}
