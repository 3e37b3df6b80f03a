package io.watershed.ingest.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.WatchResponse;

/** Responses of a watch as etcd sends them. */
final class Responses {
    private final WatchResponse.Builder response;

    private Responses(long watch, long head) {
        response = WatchResponse.newBuilder().setWatchId(watch).setHeader(header(head));
    }

    static ResponseHeader header(long revision) {
        return ResponseHeader.newBuilder()
                .setClusterId(0xabcdL)
                .setRevision(revision)
                .build();
    }

    static WatchResponse created(long watch, long head) {
        return new Responses(watch, head).response.setCreated(true).build();
    }

    static WatchResponse progress(long watch, long revision) {
        return new Responses(watch, revision).build();
    }

    static WatchResponse canceled(long watch, String reason) {
        return new Responses(watch, 50)
                .response
                .setCanceled(true)
                .setCancelReason(reason)
                .build();
    }

    static Responses events(long watch, long head) {
        return new Responses(watch, head);
    }

    Responses put(String key, long revision) {
        return put(key, revision, 1);
    }

    Responses put(String key, long revision, int bytes) {
        return event(Event.EventType.PUT, key, revision, ByteString.copyFrom(new byte[bytes]));
    }

    Responses delete(String key, long revision) {
        return event(Event.EventType.DELETE, key, revision, ByteString.EMPTY);
    }

    private Responses event(Event.EventType type, String key, long revision, ByteString value) {
        response.addEvents(Event.newBuilder()
                .setType(type)
                .setKv(KeyValue.newBuilder()
                        .setKey(ByteString.copyFromUtf8(key))
                        .setModRevision(revision)
                        .setCreateRevision(revision)
                        .setVersion(1)
                        .setValue(value)));
        return this;
    }

    Responses fragment() {
        response.setUnknownFields(UnknownFieldSet.newBuilder()
                .addField(
                        ResponseAssembly.RESPONSE_FRAGMENT,
                        UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                .build());
        return this;
    }

    WatchResponse build() {
        return response.build();
    }
}
