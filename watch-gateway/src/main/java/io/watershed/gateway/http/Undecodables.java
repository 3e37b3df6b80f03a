package io.watershed.gateway.http;

import io.watershed.gateway.api.Status;
import io.watershed.gateway.cache.ObjectEntry;
import io.watershed.gateway.fanout.FanoutSettings;
import io.watershed.log.Encoding;

/** What LIST and GET do with an object whose value is not the full object. */
final class Undecodables {
    private Undecodables() {}

    static boolean isWhole(ObjectEntry object) {
        return object.encoding() == null || object.encoding() == Encoding.PARTIAL;
    }

    static boolean isShown(ObjectEntry object, FanoutSettings.Undecodable undecodable) {
        return isWhole(object) || undecodable == FanoutSettings.Undecodable.FAIL;
    }

    /** Names the object's key, why it can't be shown, and the remedy. */
    static Status status(ObjectEntry object) {
        Encoding encoding = object.encoding();
        String why = encoding == null
                ? ""
                : switch (encoding) {
                    case RAW -> "can't be decoded; write it again as JSON, or delete it";
                    case ENCRYPTED -> "is encrypted in etcd; reading it needs etcd without encryption at rest";
                    case VERSION ->
                        "is stored in a version that can't be converted; read and write it once through kube-apiserver";
                    case OVERSIZE ->
                        "is larger than a record may be; raise max.message.bytes of the topic, or make it smaller";
                    case PARTIAL -> "is known in part only";
                };
        return Status.internalError("the value of " + object.key() + " " + why);
    }
}
