package io.watershed.ingest.etcd;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import io.etcd.jetcd.api.StatusResponse;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The endpoints of one etcd, and which of them is in use. We choose the member ourselves: a balancer would list on one and watch on
 * another that lags.
 *
 * <p><em>Threads:</em> any.
 */
final class EtcdMembers implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(EtcdMembers.class);

    /** A call to one member. */
    @FunctionalInterface
    interface Call<T> {
        T on(EtcdMember member);
    }

    private final List<EtcdMember> members;
    private final AtomicInteger current = new AtomicInteger();

    EtcdMembers(EtcdSettings settings) {
        this.members = settings.endpoints().stream()
                .map(endpoint -> new EtcdMember(endpoint, settings.user(), settings.password()))
                .toList();
    }

    /** The one in use. */
    EtcdMember current() {
        return members.get(current.get());
    }

    /** From now on the next one, unless somebody else has left this one already. */
    void leave(EtcdMember failed) {
        int index = members.indexOf(failed);
        failed.dropToken();
        current.compareAndSet(index, (index + 1) % members.size());
    }

    /** Calls the member in use, and each other one once if it does not answer. */
    <T> T call(String what, Call<T> call) throws EtcdFailure {
        EtcdFailure failure = null;
        for (int attempt = 0; attempt < members.size(); attempt++) {
            EtcdMember member = current();
            try {
                return onceMoreWithNewToken(member, call);
            } catch (StatusRuntimeException e) {
                EtcdFailure described = StatusMeaning.of(what, member.endpoint(), e);
                if (!(described instanceof EtcdFailure.Unavailable)) {
                    throw described;
                }
                failure = described;
                leave(member);
            }
        }
        throw Objects.requireNonNull(failure);
    }

    /** A token lives for minutes and dies with its member: that one was refused says nothing yet. */
    private static <T> T onceMoreWithNewToken(EtcdMember member, Call<T> call) {
        try {
            return call.on(member);
        } catch (StatusRuntimeException e) {
            if (StatusMeaning.isAboutToken(e.getStatus()) && member.dropToken()) {
                return call.on(member);
            }
            throw e;
        }
    }

    /**
     * The oldest version among the members that answer. The one in use is among them: if it does not answer, another is in use now.
     */
    EtcdVersion oldestVersion() throws EtcdFailure {
        EtcdVersion oldest = null;
        EtcdFailure failure = null;
        EtcdMember used = current();
        List<ListenableFuture<StatusResponse>> asked = new ArrayList<>();
        for (EtcdMember member : members) {
            asked.add(askForStatus(member));
        }
        List<EtcdMember> silent = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            EtcdMember member = members.get(i);
            try {
                EtcdVersion version = version(member, asked.get(i));
                oldest = oldest == null || version.compareTo(oldest) < 0 ? version : oldest;
            } catch (EtcdFailure e) {
                LOGGER.atDebug().addKeyValue("endpoint", member.endpoint()).log("etcd member did not tell its version");
                failure = e;
                silent.add(member);
            }
        }
        if (oldest == null) {
            throw Objects.requireNonNull(failure);
        }
        for (int i = 0; i < members.size() && silent.contains(used); i++) {
            leave(used);
            used = current();
        }
        return oldest;
    }

    private static ListenableFuture<StatusResponse> askForStatus(EtcdMember member) {
        try {
            return member.status();
        } catch (StatusRuntimeException e) {
            return Futures.immediateFailedFuture(e);
        }
    }

    private static EtcdVersion version(EtcdMember member, ListenableFuture<StatusResponse> asked) throws EtcdFailure {
        try {
            return EtcdVersion.parse(asked.get().getVersion());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StatusRuntimeException status) {
                throw StatusMeaning.of("asking for the version", member.endpoint(), status);
            }
            throw new EtcdFailure.Unavailable("asking etcd " + member.endpoint() + " for its version failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EtcdFailure.Unavailable("interrupted while asking etcd " + member.endpoint(), e);
        } catch (IllegalArgumentException e) {
            throw new EtcdFailure.Refused(member.endpoint() + " does not look like etcd: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        members.forEach(EtcdMember::close);
    }
}
