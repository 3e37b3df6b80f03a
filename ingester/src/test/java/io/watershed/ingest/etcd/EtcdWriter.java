package io.watershed.ingest.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.watershed.testkit.EtcdProcess;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Somebody who writes to etcd; each method answers with the revision that it made. */
final class EtcdWriter implements AutoCloseable {
    private final ManagedChannel channel;

    EtcdWriter(EtcdProcess etcd) {
        URI endpoint = URI.create(etcd.endpoint());
        channel = NettyChannelBuilder.forAddress(endpoint.getHost(), endpoint.getPort())
                .usePlaintext()
                .build();
    }

    private KVGrpc.KVBlockingStub kv() {
        return KVGrpc.newBlockingStub(channel).withWaitForReady().withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    private LeaseGrpc.LeaseBlockingStub leases() {
        return LeaseGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    long put(String key) {
        return put(ByteString.copyFromUtf8(key));
    }

    long put(ByteString key) {
        return kv().put(PutRequest.newBuilder()
                        .setKey(key)
                        .setValue(ByteString.copyFromUtf8("{}"))
                        .build())
                .getHeader()
                .getRevision();
    }

    long delete(String key) {
        return kv().deleteRange(DeleteRangeRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(key))
                        .build())
                .getHeader()
                .getRevision();
    }

    /** All keys in one transaction. */
    long putTogether(List<String> keys, int valueBytes, long lease) {
        byte[] value = new byte[valueBytes];
        new Random(1).nextBytes(value);
        List<RequestOp> puts = new ArrayList<>();
        for (String key : keys) {
            puts.add(RequestOp.newBuilder()
                    .setRequestPut(PutRequest.newBuilder()
                            .setKey(ByteString.copyFromUtf8(key))
                            .setValue(ByteString.copyFrom(value))
                            .setLease(lease))
                    .build());
        }
        return kv().txn(TxnRequest.newBuilder().addAllSuccess(puts).build())
                .getHeader()
                .getRevision();
    }

    long grant() {
        return leases().leaseGrant(LeaseGrantRequest.newBuilder().setTTL(3600).build())
                .getID();
    }

    /** The server answers before all deletes are made; what it answers is no revision of theirs. */
    void revoke(long lease) {
        leases().leaseRevoke(LeaseRevokeRequest.newBuilder().setID(lease).build());
    }

    void compact(long revision) {
        kv().compact(CompactionRequest.newBuilder()
                .setRevision(revision)
                .setPhysical(true)
                .build());
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
