package io.watershed.e2e.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WatchEventsTest {
    private static final String PLAIN = "/api/v1/pods?watch=1";
    private static final String WITH_BOOKMARKS = "/api/v1/pods?allowWatchBookmarks=true&watch=1";
    private static final String ADDED = "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Pod\"}}\n";
    private static final String BOOKMARK = "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\","
            + "\"metadata\":{\"resourceVersion\":\"7\"}}}\n";
    private static final String END = "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\","
            + "\"metadata\":{\"resourceVersion\":\"7\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}\n";

    @Test
    void periodicBookmarksAreLeftOutWhereTheyWereAskedFor() throws UnreadableAnswerException {
        assertThat(types(ADDED + BOOKMARK + ADDED, WITH_BOOKMARKS)).containsExactly("ADDED", "ADDED");
    }

    @Test
    void aBookmarkThatNobodyAskedForIsAnEvent() throws UnreadableAnswerException {
        assertThat(types(ADDED + BOOKMARK, PLAIN)).containsExactly("ADDED", "<<a bookmark that nobody asked for>>");
    }

    @Test
    void aBookmarkThatNobodyCanResumeFromIsAnEvent() throws UnreadableAnswerException {
        assertThat(types(BOOKMARK.replace("\"7\"", "\"\""), WITH_BOOKMARKS))
                .containsExactly("<<a bookmark without resourceVersion>>");
        assertThat(types(BOOKMARK.replace("\"7\"", "7"), WITH_BOOKMARKS))
                .containsExactly("<<a bookmark without resourceVersion>>");
        assertThat(types(BOOKMARK.replace("\"kind\":\"Pod\",", ""), WITH_BOOKMARKS))
                .containsExactly("<<a bookmark without kind>>");
    }

    @Test
    void aBlankLineIsAnEvent() throws UnreadableAnswerException {
        assertThat(types(ADDED + "\n" + ADDED, PLAIN)).containsExactly("ADDED", "<<a blank line>>", "ADDED");
        assertThat(types("\n", PLAIN)).containsExactly("<<a blank line>>");
        assertThat(types("", PLAIN)).isEmpty();
    }

    @Test
    void theEndOfTheInitialEventsIsAnEventWithItsRevision() throws UnreadableAnswerException {
        assertThat(WatchEvents.of(END, WITH_BOOKMARKS, false, TableMask.ofRecorded())
                        .toString())
                .isEqualTo("[{\"type\":\"BOOKMARK\",\"end of the initial events\":[\"Pod\",\"v1\",\"Pod\",\"7\"]}]");
        assertThat(WatchEvents.of(END, WITH_BOOKMARKS, true, TableMask.ofRecorded())
                        .toString())
                .contains("<rv>");
    }

    @Test
    void theEndOfTheInitialEventsInATableIsThatOfItsRow() throws UnreadableAnswerException {
        String object = END.substring(END.indexOf("{\"kind\""), END.length() - 2);
        String table =
                "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"rows\":[{\"object\":"
                        + object + "}]}}\n";
        assertThat(WatchEvents.of(table, WITH_BOOKMARKS, false, TableMask.ofRecorded())
                        .toString())
                .contains("[\"Table\",\"meta.k8s.io/v1\",\"Pod\",\"7\"]");
    }

    @Test
    void aBrokenStreamIsUnreadable() {
        assertThatThrownBy(() -> types(ADDED + "\n<<cut: no clean end of the body>>", PLAIN))
                .isInstanceOf(UnreadableAnswerException.class);
    }

    private static List<String> types(String body, String path) throws UnreadableAnswerException {
        List<String> types = new ArrayList<>();
        WatchEvents.of(body, path, false, TableMask.ofRecorded())
                .forEach(event -> types.add(event.path("type").asText()));
        return types;
    }
}
