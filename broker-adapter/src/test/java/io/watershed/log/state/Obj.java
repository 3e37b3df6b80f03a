package io.watershed.log.state;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.watershed.log.EtcdKey;
import io.watershed.log.KeyVersion;
import io.watershed.log.ObjectRecord;
import io.watershed.log.ObjectValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A live object of the model.
 *
 * @param app what a selector selects by
 * @param unique tells two values of one key apart that have the same revisions and version
 */
record Obj(long created, long modified, long version, char app, long unique) {
    KeyVersion keyVersion() {
        return new KeyVersion(created, modified, version, 0, unique);
    }

    ObjectRecord record(EtcdKey key) {
        byte[] value = String.valueOf(app).getBytes(US_ASCII);
        return new ObjectRecord(key, keyVersion(), null, new ObjectValue(value, 1, null, null));
    }

    static @Nullable Obj of(ObjectRecord object) {
        ObjectValue value = object.value();
        if (value == null) {
            return null;
        }
        KeyVersion version = object.version();
        return new Obj(
                version.createRevision(),
                version.modRevision(),
                version.version(),
                (char) value.json()[0],
                version.valueHash());
    }

    /** One change of a key, and what it was before. */
    record Event(
            long revision,
            EtcdKey key,
            @Nullable Obj before,
            @Nullable Obj after) {
        /** As a watch with this selector is sent it; 0 selects everything. */
        List<Seen> seenBy(char selector) {
            boolean was = before != null && (selector == 0 || before.app == selector);
            boolean is = after != null && (selector == 0 || after.app == selector);
            List<Seen> seen = new ArrayList<>(1);
            if (was || is) {
                seen.add(new Seen(revision, key, !is ? "DELETED" : was ? "MODIFIED" : "ADDED", is ? after : before));
            }
            return seen;
        }
    }

    /** One event of a watch. */
    record Seen(
            long revision,
            EtcdKey key,
            String type,
            @Nullable Obj object) {
        boolean sameChange(Seen other) {
            return revision == other.revision && key.equals(other.key) && type.equals(other.type);
        }
    }
}
