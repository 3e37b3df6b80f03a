package io.watershed.e2e.golden;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A watch over a WebSocket, by hand, so that nothing between us and the server mends what it sends: each message becomes a line. */
final class WebSocketWatch {
    private static final int TIMEOUT_MS = 30_000;
    private static final int CLOSE = 8;
    private static final int LAST_DATA_OPCODE = 2;
    private static final int FINAL = 0x80;

    private final URI base;
    private final StreamProgress progress;

    WebSocketWatch(URI base, StreamProgress progress) {
        this.base = base;
        this.progress = progress;
    }

    Answer ask(String path, Map<String, String> headers) throws IOException {
        try (Socket socket = connect()) {
            socket.setSoTimeout(TIMEOUT_MS);
            socket.getOutputStream().write(handshake(path, headers).getBytes(ISO_8859_1));
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            int status = Integer.parseInt(line(in).split(" ", 3)[1]);
            Map<String, String> answered = new LinkedHashMap<>();
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                int colon = line.indexOf(':');
                answered.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
            progress.opened();
            if (status != 101) {
                int length = Integer.parseInt(answered.getOrDefault("content-length", "0"));
                return new Answer(status, answered, AnswerText.of(in.readNBytes(length)));
            }
            // Headers of an upgraded connection say nothing about its messages.
            return new Answer(status, Map.of(), messages(in));
        }
    }

    private Socket connect() throws IOException {
        return base.getScheme().equals("https")
                ? AnyCertificate.context().getSocketFactory().createSocket(base.getHost(), base.getPort())
                : new Socket(base.getHost(), base.getPort());
    }

    private String handshake(String path, Map<String, String> headers) {
        String host = base.getHost() + ":" + base.getPort();
        Map<String, String> all = new LinkedHashMap<>();
        all.put("Host", host);
        all.put("Origin", base.getScheme() + "://" + host);
        all.put("Upgrade", "websocket");
        all.put("Connection", "Upgrade");
        all.put("Sec-WebSocket-Version", "13");
        all.put("Sec-WebSocket-Key", "d2F0ZXJzaGVkLWdvbGRlbg==");
        all.putAll(headers);
        StringBuilder request = new StringBuilder("GET ").append(path).append(" HTTP/1.1\r\n");
        all.forEach(
                (name, value) -> request.append(name).append(": ").append(value).append("\r\n"));
        return request.append("\r\n").toString();
    }

    private String messages(DataInputStream in) throws IOException {
        StringBuilder lines = new StringBuilder();
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        try {
            for (int head = in.read(); head >= 0; head = in.read()) {
                byte[] payload = in.readNBytes(Math.toIntExact(length(in)));
                int opcode = head & 15;
                if (opcode == CLOSE) {
                    break;
                }
                if (opcode <= LAST_DATA_OPCODE) {
                    message.write(payload);
                    if ((head & FINAL) != 0) {
                        lines.append(AnswerText.of(message.toByteArray()).replaceFirst("\n+$", ""))
                                .append('\n');
                        progress.addLines(1);
                        message.reset();
                    }
                }
            }
        } catch (SocketTimeoutException e) {
            lines.append("<<no end of the stream>>\n");
        }
        return lines.toString();
    }

    private static long length(DataInputStream in) throws IOException {
        int length = in.readUnsignedByte() & 127;
        return switch (length) {
            case 126 -> in.readUnsignedShort();
            case 127 -> in.readLong();
            default -> length;
        };
    }

    private static String line(DataInputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the server closed during the handshake");
            }
            line.write(b);
        }
        return line.toString(ISO_8859_1).strip();
    }
}
