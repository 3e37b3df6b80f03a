package io.watershed.gateway.http;

import io.netty.buffer.ByteBuf;
import io.watershed.gateway.represent.Sink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a list on their way into buffers: as they are, or compressed when the client accepts it and there come enough of them,
 * until which they are kept.
 *
 * <p><em>Threads:</em> confined to one.
 */
final class ListBody implements Sink {
    private final Runnable whenCompressed;
    private final Target target = new Target();
    private @Nullable ByteArrayOutputStream held;
    private @Nullable OutputStream gzip;
    private long taken;

    /**
     * @param compressible whether the client accepts gzip
     * @param whenCompressed called before the first compressed bytes: the head has to say so
     */
    ListBody(boolean compressible, Runnable whenCompressed) {
        this.held = compressible ? new ByteArrayOutputStream() : null;
        this.whenCompressed = whenCompressed;
    }

    /** Where bytes go from now on. */
    void into(ByteBuf buffer) {
        target.buffer = buffer;
        taken = 0;
    }

    /** How many bytes have come since {@link #into}, before compression: the work that was done. */
    long taken() {
        return taken;
    }

    @Override
    public void write(byte[] bytes, int start, int length) {
        taken += length;
        try {
            if (gzip != null) {
                gzip.write(bytes, start, length);
            } else if (held == null) {
                target.write(bytes, start, length);
            } else if (held.size() + length <= Gzip.THRESHOLD) {
                held.write(bytes, start, length);
            } else {
                compress(held).write(bytes, start, length);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private OutputStream compress(ByteArrayOutputStream before) throws IOException {
        whenCompressed.run();
        OutputStream begun = Gzip.to(target);
        gzip = begun;
        before.writeTo(begun);
        held = null;
        return begun;
    }

    /** No more will come. */
    void end() {
        try {
            if (held != null) {
                held.writeTo(target);
                held = null;
            }
            if (gzip != null) {
                gzip.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nobody wants the rest. May be called more than once, and after the end. */
    void abandon() {
        held = null;
        target.buffer = null;
        end();
    }

    /** Into the buffer of the moment; nowhere when there is none. */
    private static final class Target extends OutputStream {
        private @Nullable ByteBuf buffer;

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int start, int length) {
            if (buffer != null) {
                buffer.writeBytes(bytes, start, length);
            }
        }
    }
}
