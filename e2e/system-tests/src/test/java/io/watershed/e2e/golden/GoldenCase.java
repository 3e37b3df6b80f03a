package io.watershed.e2e.golden;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A recorded request, how its answer is compared, and the answers: one, or one a page.
 *
 * @param token as whom to ask; empty: as nobody
 * @param headers the ones to send
 * @param body the request's; empty: none
 * @param check the only members that count; empty: all
 * @param otherStatus a refusal that is right as well; 0: none
 */
public record GoldenCase(
        String id,
        String section,
        Phase phase,
        String method,
        String path,
        Map<String, String> headers,
        String token,
        String body,
        Subset subset,
        Set<Rule> rules,
        List<String> check,
        int otherStatus,
        List<Answer> answers) {
    /** Which state of etcd a case is asked on. */
    public enum Phase {
        /** All of the first act. */
        STATE,
        /** Opened after the first act, while the second one is played. */
        LIVE,
        /** After objects as older releases stored them. */
        OLD,
        /** Of servers that were started after etcd was compacted at the end of the first act. */
        COMPACTED
    }

    /** Which part of an answer counts. */
    enum Subset {
        WHOLE,
        DISCOVERY,
        VERSION,
        OPENAPI_INDEX,
        OPENAPI_SCHEMAS
    }

    /** What is special about a case. */
    enum Rule {
        /** The answer is a watch's. */
        STREAM,
        /** Asked over a WebSocket. */
        WEBSOCKET,
        /** Compared as text. */
        RAW,
        /** The wording of the error is free. */
        LOOSE_TEXT,
        /** The list may be newer. */
        LOOSE_REVISION,
        /** The pages behind each continue token are asked for too. */
        FOLLOW,
        /** Asked again with the ETag. */
        ETAG,
        /** Can't be right without authentication and authorisation. */
        NEEDS_AUTHORISATION,
        /** Counted apart: a read tier may leave it out. */
        OPTIONAL
    }

    boolean has(Rule rule) {
        return rules.contains(rule);
    }

    String describe() {
        return method + " " + path;
    }
}
