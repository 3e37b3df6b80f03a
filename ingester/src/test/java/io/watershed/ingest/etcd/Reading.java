package io.watershed.ingest.etcd;

import io.watershed.testkit.ChildProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Reads a stream until it has released a revision. */
final class Reading {
    private Reading() {}

    static List<RevisionEvents> upTo(RevisionStream stream, long revision) throws EtcdFailure {
        List<RevisionEvents> read = new ArrayList<>();
        long deadline = System.nanoTime() + ChildProcess.DEADLINE.toNanos();
        long upTo = 0;
        while (upTo < revision) {
            Released released = stream.next(Duration.ofMillis(200));
            if (released != null) {
                read.addAll(released.revisions());
                upTo = released.upTo();
            } else if (System.nanoTime() > deadline) {
                throw new AssertionError("nothing beyond " + upTo + " in "
                        + TimeUnit.NANOSECONDS.toSeconds(ChildProcess.DEADLINE.toNanos()) + " s; read: "
                        + Events.text(read));
            }
        }
        return read;
    }

    /** What the stream ends with. */
    static EtcdFailure end(RevisionStream stream) {
        long deadline = System.nanoTime() + ChildProcess.DEADLINE.toNanos();
        while (System.nanoTime() < deadline) {
            try {
                stream.next(Duration.ofMillis(200));
            } catch (EtcdFailure e) {
                return e;
            }
        }
        throw new AssertionError("the stream goes on");
    }
}
