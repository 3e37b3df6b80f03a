package io.watershed.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Txn;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.CompactOption;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.watershed.log.EtcdKey;
import io.watershed.log.KeyVersion;
import io.watershed.log.ValueHash;
import io.watershed.testkit.EtcdProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Somebody else who writes to etcd, and asks it what it holds. Writers answer with their revision. */
final class EtcdClient implements AutoCloseable {
    private final Client client;
    private final KV kv;

    EtcdClient(EtcdProcess etcd) {
        client = Client.builder().endpoints(etcd.endpoint()).build();
        kv = client.getKVClient();
    }

    long put(String key, String value) {
        return done(kv.put(bytes(key), bytes(value))).getHeader().getRevision();
    }

    /** All keys in one transaction. */
    long putTogether(List<String> keys, String value) {
        Txn transaction = kv.txn();
        List<Op> puts = new ArrayList<>();
        for (String key : keys) {
            puts.add(Op.put(bytes(key), bytes(value), PutOption.DEFAULT));
        }
        return done(transaction.Then(puts.toArray(new Op[0])).commit())
                .getHeader()
                .getRevision();
    }

    long delete(String key) {
        return done(kv.delete(bytes(key))).getHeader().getRevision();
    }

    long deletePrefix(String prefix) {
        return done(kv.delete(
                        bytes(prefix), DeleteOption.builder().isPrefix(true).build()))
                .getHeader()
                .getRevision();
    }

    void compact(long revision) {
        done(kv.compact(
                revision, CompactOption.builder().withCompactPhysical(true).build()));
    }

    /** What etcd holds below a prefix. */
    Map<EtcdKey, KeyVersion> list(String prefix) {
        GetResponse response =
                done(kv.get(bytes(prefix), GetOption.builder().isPrefix(true).build()));
        Map<EtcdKey, KeyVersion> listed = new TreeMap<>();
        for (KeyValue one : response.getKvs()) {
            listed.put(
                    EtcdKey.of(one.getKey().getBytes()),
                    new KeyVersion(
                            one.getCreateRevision(),
                            one.getModRevision(),
                            one.getVersion(),
                            one.getLease(),
                            ValueHash.of(one.getValue().getBytes())));
        }
        return listed;
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, UTF_8);
    }

    private static <T> T done(CompletableFuture<T> future) {
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("etcd does not answer", e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
