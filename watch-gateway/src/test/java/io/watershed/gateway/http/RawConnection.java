package io.watershed.gateway.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** HTTP/1.1 as bytes, for what a client library hides: when a head comes, chunks, ends. Reads give up after a while. */
final class RawConnection implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)\n");

    private final Socket socket;
    private final InputStream in;
    private @Nullable BufferedReader unchunked;

    RawConnection(int port) throws IOException {
        this(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    RawConnection(Socket connected) throws IOException {
        socket = connected;
        socket.setSoTimeout(20_000);
        in = new BufferedInputStream(socket.getInputStream());
    }

    RawConnection get(String path, String... headers) throws IOException {
        StringBuilder request = new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: test\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        return send(request.append("\r\n").toString());
    }

    RawConnection send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        socket.getOutputStream().flush();
        return this;
    }

    /** Everything up to the blank line. */
    String head() throws IOException {
        StringBuilder head = new StringBuilder();
        for (String line = line(); !line.isEmpty(); line = line()) {
            head.append(line).append('\n');
        }
        return head.toString();
    }

    /** The next chunk; empty for the last one. */
    String chunk() throws IOException {
        int length = Integer.parseInt(line(), 16);
        byte[] chunk = in.readNBytes(length);
        line();
        return new String(chunk, ISO_8859_1);
    }

    /** A WebSocket's handshake for a path; {@link #head} has the answer. */
    RawConnection upgrade(String path, String... headers) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "Connection: keep-alive, Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="));
        all.addAll(List.of(headers));
        return get(path, all.toArray(new String[0]));
    }

    /** The next frame of a WebSocket, as {@code TEXT …}, {@code PING}, {@code PONG …} or {@code CLOSE 1000}. */
    String frame() throws IOException {
        int first = in.read();
        int length = in.read();
        if (length == 126) {
            length = (in.read() << 8) | in.read();
        } else if (length == 127) {
            in.skipNBytes(4);
            length = (in.read() << 24) | (in.read() << 16) | (in.read() << 8) | in.read();
        }
        byte[] payload = in.readNBytes(length);
        return switch (first) {
            case 0x81 -> "TEXT " + new String(payload, ISO_8859_1);
            case 0x88 -> "CLOSE " + (((payload[0] & 0xff) << 8) | (payload[1] & 0xff));
            case 0x89 -> "PING";
            case 0x8a -> "PONG " + new String(payload, ISO_8859_1);
            default -> throw new IOException("frame of type " + first);
        };
    }

    /** Sends a masked frame, as clients do. {@code first}: its first byte. */
    RawConnection sendFrame(int first, byte[] payload) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(first);
        if (payload.length < 126) {
            frame.write(0x80 | payload.length);
        } else {
            frame.write(0x80 | 126);
            frame.write(payload.length >> 8);
            frame.write(payload.length);
        }
        byte[] mask = {1, 2, 3, 4};
        frame.writeBytes(mask);
        for (int i = 0; i < payload.length; i++) {
            frame.write(payload[i] ^ mask[i % 4]);
        }
        socket.getOutputStream().write(frame.toByteArray());
        socket.getOutputStream().flush();
        return this;
    }

    /** One block of server-sent events, up to its blank line. */
    String block() throws IOException {
        if (unchunked == null) {
            unchunked = new BufferedReader(new InputStreamReader(new Chunks(), ISO_8859_1));
        }
        StringBuilder block = new StringBuilder();
        for (String line = unchunked.readLine(); line != null && !line.isEmpty(); line = unchunked.readLine()) {
            block.append(line).append('\n');
        }
        return block.toString();
    }

    /** The client goes away without a word. */
    void hangUp() throws IOException {
        socket.close();
    }

    /** A body of the length that its head tells. */
    String body(String head) throws IOException {
        Matcher length = LENGTH.matcher(head);
        if (!length.find()) {
            throw new IOException("no content-length: " + head);
        }
        return new String(in.readNBytes(Integer.parseInt(length.group(1))), ISO_8859_1);
    }

    /** Everything up to the end of the connection. */
    String rest() throws IOException {
        return new String(in.readAllBytes(), ISO_8859_1);
    }

    /** The chunks' content up to the last one. */
    private final class Chunks extends InputStream {
        private byte[] chunk = {};
        private int at;
        private boolean over;

        @Override
        public int read() throws IOException {
            return fill() ? chunk[at++] & 0xff : -1;
        }

        @Override
        public int read(byte[] out, int offset, int length) throws IOException {
            if (!fill()) {
                return -1;
            }
            int taken = Math.min(length, chunk.length - at);
            System.arraycopy(chunk, at, out, offset, taken);
            at += taken;
            return taken;
        }

        private boolean fill() throws IOException {
            if (at == chunk.length && !over) {
                chunk = chunk().getBytes(ISO_8859_1);
                at = 0;
                over = chunk.length == 0;
            }
            return !over;
        }
    }

    /** Whether the server closes the connection next. */
    boolean ends() throws IOException {
        return in.read() < 0;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the connection ended after: " + line);
            }
            line.append((char) c);
        }
        return line.toString().stripTrailing();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
