package io.watershed.gateway.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Compression of answers, where kube-apiserver compresses: only long ones, fast rather than well. Watches are never compressed, as many
 * clients can't read those.
 */
final class Gzip {
    /** What is not longer than this is sent as it is, in bytes. */
    static final int THRESHOLD = 128 << 10;

    /** What is longer, and not made piece by piece, would hold up the event loop, in bytes. */
    private static final int MOST_AT_ONCE = 2 << 20;

    private Gzip() {}

    /** Whether a client's headers name the very word: no qualities are read, as in Kubernetes. */
    static boolean isAccepted(List<String> headers) {
        for (String header : headers) {
            for (String coding : header.split(",", -1)) {
                if (coding.strip().equals("gzip")) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether a body is worth it, and can be done at once. */
    static boolean isFor(byte[] body) {
        return body.length > THRESHOLD && body.length <= MOST_AT_ONCE;
    }

    static byte[] compressed(byte[] body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(body.length / 4);
        try (OutputStream gzip = to(out)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** To be closed, since it has memory outside of the heap. */
    static OutputStream to(OutputStream out) throws IOException {
        return new Fast(out);
    }

    private static final class Fast extends GZIPOutputStream {
        private static final int BUFFER_BYTES = 8 << 10;

        Fast(OutputStream out) throws IOException {
            super(out, BUFFER_BYTES);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
