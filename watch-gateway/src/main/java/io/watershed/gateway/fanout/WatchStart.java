package io.watershed.gateway.fanout;

/** Where a watch begins. */
public sealed interface WatchStart {
    /**
     * After a revision that the client has seen. Unless it is known to have seen the whole of it, the watch begins with the first of its
     * events if there are several for this watch, as the client may have been cut between two (the log's rule V1). A revision that the
     * cache has not reached is waited for in silence; one below what memory holds ends the watch with a 410.
     *
     * @param whole whether all events of the revision are known to have been seen
     */
    record After(long resourceVersion, boolean whole) implements WatchStart {
        public After(long resourceVersion) {
            this(resourceVersion, false);
        }
    }

    /**
     * With every matching object of the present view as ADDED, in etcd's byte order of keys; then what happens after that view.
     *
     * @param endBookmark whether the bookmark that is annotated {@code k8s.io/initial-events-end} stands between the two
     */
    record InitialState(boolean endBookmark) implements WatchStart {}
}
