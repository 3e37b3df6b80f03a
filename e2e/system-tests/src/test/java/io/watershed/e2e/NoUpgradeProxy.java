package io.watershed.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A proxy that knows HTTP/1.1 only: it answers a WebSocket's upgrade with an empty 200, and passes everything else on, but for what clients
 * say to the next hop alone, as that they would rather speak HTTP/2.
 *
 * <p><em>Threads:</em> any; two of its own for each connection, which end with it.
 */
final class NoUpgradeProxy implements AutoCloseable {
    private static final String EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

    private static final Pattern HOP = Pattern.compile("(?im)^(connection|upgrade|http2-settings):.*\\r\\n");

    private final URI server;
    private final ServerSocket listening;

    private NoUpgradeProxy(URI server, ServerSocket listening) {
        this.server = server;
        this.listening = listening;
    }

    static NoUpgradeProxy before(String url) {
        try {
            NoUpgradeProxy proxy =
                    new NoUpgradeProxy(URI.create(url), new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
            start(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url() {
        return "http://127.0.0.1:" + listening.getLocalPort();
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void start(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // One side has gone, and the other goes with it.
                    }
                },
                "no-upgrade-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (!listening.isClosed()) {
            Socket client = listening.accept();
            start(() -> serve(client));
        }
    }

    private void serve(Socket client) throws IOException {
        try (client;
                Socket peer = new Socket(server.getHost(), server.getPort())) {
            start(() -> answers(peer, client));
            for (String head = head(client.getInputStream()); !head.isEmpty(); head = head(client.getInputStream())) {
                if (head.toLowerCase(Locale.ROOT).contains("\r\nupgrade: websocket\r\n")) {
                    client.getOutputStream().write(EMPTY.getBytes(ISO_8859_1));
                    return;
                }
                peer.getOutputStream().write(HOP.matcher(head).replaceAll("").getBytes(ISO_8859_1));
            }
        }
    }

    private static void answers(Socket peer, Socket client) throws IOException {
        try (peer;
                client) {
            peer.getInputStream().transferTo(client.getOutputStream());
        }
    }

    /** The next request, which has no body; empty at the end of the connection. */
    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        String text = "";
        while (!text.endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head.write(next);
            if (next == '\n') {
                text = head.toString(ISO_8859_1);
            }
        }
        return text;
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
