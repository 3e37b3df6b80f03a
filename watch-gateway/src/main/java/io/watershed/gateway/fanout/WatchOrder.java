package io.watershed.gateway.fanout;

/**
 * One watch as its client asked for it.
 *
 * @param bookmarks whether the client allows bookmarks; the annotated one at the end of the initial state is asked for by
 *     {@link WatchStart.InitialState}
 * @param deadlineNanos when to end the watch cleanly, on the clock that {@link LoopDispatcher#tick} is called with
 * @param kind kind of the watched objects, for bookmarks
 * @param apiVersion apiVersion of the watched objects, for bookmarks
 */
public record WatchOrder(
        WatchTarget target, WatchStart start, boolean bookmarks, long deadlineNanos, String kind, String apiVersion) {}
