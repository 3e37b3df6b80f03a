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
        return Status.internalError(String.valueOf(object.defect()));
    }
}
