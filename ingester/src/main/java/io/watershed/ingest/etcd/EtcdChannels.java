package io.watershed.ingest.etcd;

import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.grpc.Channel;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One channel an endpoint, and which of them is in use. We choose the member ourselves: a balancer would list on one and watch on
 * another that lags.
 *
 * <p><em>Threads:</em> any.
 */
final class EtcdChannels implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(EtcdChannels.class);
    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> HAS_LEADER =
            Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);
    static final long CALL_SECONDS = 5;
    private static final int MAX_MESSAGE_BYTES = 256 << 20;

    /** A call to one member. */
    @FunctionalInterface
    interface Call<T> {
        T on(Channel channel);
    }

    private final EtcdSettings settings;
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final AtomicInteger current = new AtomicInteger();
    private volatile @Nullable String token;

    EtcdChannels(EtcdSettings settings) {
        this.settings = settings;
        for (URI endpoint : settings.endpoints()) {
            int port = endpoint.getPort() < 0 ? 2379 : endpoint.getPort();
            NettyChannelBuilder builder = NettyChannelBuilder.forAddress(endpoint.getHost(), port)
                    .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                    .flowControlWindow(1 << 20)
                    .keepAliveTime(10, TimeUnit.SECONDS)
                    .keepAliveTimeout(5, TimeUnit.SECONDS)
                    .keepAliveWithoutCalls(false);
            if (!"https".equals(endpoint.getScheme())) {
                builder.usePlaintext();
            }
            channels.add(builder.build());
        }
    }

    /** The endpoint in use, for messages. */
    URI endpoint() {
        return settings.endpoints().get(Math.floorMod(current.get(), channels.size()));
    }

    /** From now on the next endpoint. */
    void useNext() {
        current.incrementAndGet();
        token = null;
    }

    /** Calls the member in use, and each other one once if it does not answer. */
    <T> T call(String what, Call<T> call) throws EtcdFailure {
        EtcdFailure failure = null;
        for (int attempt = 0; attempt < channels.size(); attempt++) {
            try {
                return call.on(authenticated());
            } catch (StatusRuntimeException e) {
                EtcdFailure described = describe(what, e);
                if (!(described instanceof EtcdFailure.Unavailable)) {
                    throw described;
                }
                failure = described;
                useNext();
            }
        }
        throw java.util.Objects.requireNonNull(failure);
    }

    EtcdFailure describe(String what, StatusRuntimeException e) {
        Status status = e.getStatus();
        String text = what + " at etcd " + endpoint() + ": " + status.getCode()
                + (status.getDescription() == null ? "" : ", " + status.getDescription());
        if (status.getCode() == Status.Code.OUT_OF_RANGE && text.contains("compacted")) {
            return new EtcdFailure.Compacted(0, text);
        }
        return switch (status.getCode()) {
            case PERMISSION_DENIED ->
                new EtcdFailure.Refused(
                        text + ". Grant the user read rights on the configured prefixes (etcd.prefixes)", e);
            case UNAUTHENTICATED, INVALID_ARGUMENT, FAILED_PRECONDITION -> {
                token = null;
                yield new EtcdFailure.Refused(text + ". Check etcd.user and etcd.password", e);
            }
            default -> new EtcdFailure.Unavailable(text + ". Is etcd running there? See etcd.endpoints", e);
        };
    }

    private Channel channel() {
        return channels.get(Math.floorMod(current.get(), channels.size()));
    }

    private Channel authenticated() {
        Channel channel = channel();
        String user = settings.user();
        if (user == null) {
            return channel;
        }
        String known = token;
        if (known == null) {
            known = AuthGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                    .authenticate(AuthenticateRequest.newBuilder()
                            .setName(user)
                            .setPassword(settings.password() == null ? "" : settings.password())
                            .build())
                    .getToken();
            token = known;
        }
        Metadata metadata = new Metadata();
        metadata.put(TOKEN, known);
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(metadata));
    }

    static KVGrpc.KVBlockingStub kv(Channel channel) {
        return KVGrpc.newBlockingStub(channel).withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS);
    }

    KVGrpc.KVFutureStub kvFuture() {
        return KVGrpc.newFutureStub(authenticated()).withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS);
    }

    /** With require-leader: a member that is cut off from its cluster ends the stream instead of going silent. */
    WatchGrpc.WatchStub watch() {
        Metadata metadata = new Metadata();
        metadata.put(HAS_LEADER, "true");
        ClientInterceptor requireLeader = MetadataUtils.newAttachHeadersInterceptor(metadata);
        return WatchGrpc.newStub(authenticated()).withInterceptors(requireLeader);
    }

    /** The lowest version of the members that answer. */
    EtcdVersion oldestVersion() throws EtcdFailure {
        EtcdVersion oldest = null;
        EtcdFailure failure = null;
        for (int i = 0; i < channels.size(); i++) {
            try {
                EtcdVersion version = EtcdVersion.parse(MaintenanceGrpc.newBlockingStub(channels.get(i))
                        .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                        .status(StatusRequest.getDefaultInstance())
                        .getVersion());
                oldest = oldest == null || version.compareTo(oldest) < 0 ? version : oldest;
            } catch (StatusRuntimeException e) {
                LOGGER.atDebug()
                        .addKeyValue("endpoint", settings.endpoints().get(i))
                        .log("etcd member did not tell its version");
                failure = describe("status", e);
            }
        }
        if (oldest == null) {
            throw java.util.Objects.requireNonNull(failure);
        }
        return oldest;
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
