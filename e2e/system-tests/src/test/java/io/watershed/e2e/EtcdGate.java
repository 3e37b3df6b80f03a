package io.watershed.e2e;

import io.watershed.testkit.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;

/**
 * A way to etcd that closes after so many bytes of its answers, and keeps connections open: who lists through it stands still half-way.
 *
 * <p><em>Threads:</em> any; two of its own for each connection, which end with the test's JVM at the latest.
 */
final class EtcdGate implements AutoCloseable {
    private final InetSocketAddress etcd;
    private final ServerSocket server;
    private long bytesLeft;

    private EtcdGate(InetSocketAddress etcd, ServerSocket server, long bytes) {
        this.etcd = etcd;
        this.server = server;
        this.bytesLeft = bytes;
    }

    /** Lets so many bytes through, in all. */
    static EtcdGate before(String endpoint, long bytes) {
        URI uri = URI.create(endpoint);
        try {
            ServerSocket server = new ServerSocket(FreePorts.next(), 50, InetAddress.getLoopbackAddress());
            EtcdGate gate = new EtcdGate(new InetSocketAddress(uri.getHost(), uri.getPort()), server, bytes);
            start(gate::accept);
            return gate;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    private interface Task {
        void run() throws IOException, InterruptedException;
    }

    private static void start(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // One of both sides has gone: so does the connection.
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "etcd-gate");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (!server.isClosed()) {
            Socket client = server.accept();
            Socket peer = new Socket(etcd.getAddress(), etcd.getPort());
            start(() -> pump(client, peer, false));
            start(() -> pump(peer, client, true));
        }
    }

    private void pump(Socket from, Socket to, boolean counted) throws IOException, InterruptedException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8192];
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (counted) {
                    pass(length);
                }
                out.write(buffer, 0, length);
            }
        }
    }

    private synchronized void pass(int bytes) throws IOException, InterruptedException {
        while (bytesLeft <= 0) {
            if (server.isClosed()) {
                throw new IOException("the gate was taken away");
            }
            wait();
        }
        bytesLeft -= bytes;
    }

    /** Ends the connections that stand still, and takes no more. */
    @Override
    public synchronized void close() {
        notifyAll();
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
