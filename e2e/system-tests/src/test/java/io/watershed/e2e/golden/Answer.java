package io.watershed.e2e.golden;

import java.util.Map;

/** What a server answered, recorded or now. Header names are in small letters; the body of a WebSocket is its text frames, a line each. */
record Answer(int status, Map<String, String> headers, String body) {
    String header(String name) {
        return headers.getOrDefault(name, "");
    }
}
