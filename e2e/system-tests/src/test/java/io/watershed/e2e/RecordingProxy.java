package io.watershed.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A load balancer in front of one gateway at a time, that notes what clients ask for: HTTP/1.1, requests without bodies. A connection ends with
 * the gateway that it was made to. What clients say to the next hop alone goes no further, as that they would rather speak HTTP/2.
 *
 * <p><em>Threads:</em> any; two of its own for each connection, which end with it.
 */
final class RecordingProxy implements AutoCloseable {
    private static final String EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    private static final Pattern HOP = Pattern.compile("(?im)^(connection|upgrade|http2-settings):.*\\r\\n");
    private static final Pattern TARGET = Pattern.compile("\\AGET (\\S+) ");

    /** Whether a WebSocket's upgrade is passed on, or answered with an empty 200, as by proxies that don't know it. */
    enum WebSockets {
        PASSED,
        ANSWERED_EMPTY
    }

    /** What a client asked for: the path and its query, decoded. */
    record Request(String target, boolean webSocket) {
        boolean isWatch() {
            return target.matches(".*[?&]watch=(true|True|1)(&.*)?");
        }

        boolean wantsInitialEvents() {
            return target.contains("sendInitialEvents=true");
        }
    }

    private final ServerSocket listening;
    private final WebSockets webSockets;
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private volatile URI server;

    private RecordingProxy(URI server, ServerSocket listening, WebSockets webSockets) {
        this.server = server;
        this.listening = listening;
        this.webSockets = webSockets;
    }

    static RecordingProxy before(String url) {
        return before(url, WebSockets.PASSED);
    }

    static RecordingProxy before(String url, WebSockets webSockets) {
        try {
            RecordingProxy proxy = new RecordingProxy(
                    URI.create(url), new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), webSockets);
            start(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url() {
        return "http://127.0.0.1:" + listening.getLocalPort();
    }

    /** Connections that are made from now on go to this gateway. */
    void switchTo(String url) {
        server = URI.create(url);
    }

    /** So far, in their order. */
    List<Request> requests() {
        return List.copyOf(requests);
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
                "recording-proxy");
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
        URI to = server;
        try (client;
                Socket peer = new Socket(to.getHost(), to.getPort())) {
            start(() -> answers(peer, client));
            for (String head = head(client.getInputStream()); !head.isEmpty(); head = head(client.getInputStream())) {
                boolean webSocket = head.toLowerCase(Locale.ROOT).contains("\r\nupgrade: websocket\r\n");
                requests.add(new Request(target(head), webSocket));
                if (!webSocket) {
                    peer.getOutputStream()
                            .write(HOP.matcher(head).replaceAll("").getBytes(ISO_8859_1));
                } else if (webSockets == WebSockets.PASSED) {
                    peer.getOutputStream().write(head.getBytes(ISO_8859_1));
                    client.getInputStream().transferTo(peer.getOutputStream());
                    return;
                } else {
                    client.getOutputStream().write(EMPTY.getBytes(ISO_8859_1));
                    return;
                }
            }
        }
    }

    private static String target(String head) throws IOException {
        Matcher matcher = TARGET.matcher(head);
        if (!matcher.find()) {
            throw new IOException("the proxy passes on GET alone, not " + head);
        }
        return URLDecoder.decode(matcher.group(1), UTF_8);
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
