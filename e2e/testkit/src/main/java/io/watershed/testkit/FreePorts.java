package io.watershed.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports on loopback that nobody listens on. Taken from below the range that Linux gives to outgoing connections, so that a server
 * which was killed finds its port still free when it is started again.
 *
 * <p><em>Threads:</em> any.
 */
public final class FreePorts {
    private static final int LOWEST = 15_000;
    private static final int BEYOND = 32_000;
    private static final int TRIES = 2_000;
    private static final Set<Integer> GIVEN = new HashSet<>();

    private FreePorts() {}

    /** A port that this JVM has not handed out before. */
    public static synchronized int next() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, BEYOND);
            if (!GIVEN.contains(port) && isFree(port)) {
                GIVEN.add(port);
                return port;
            }
        }
        throw new IllegalStateException("no free port between " + LOWEST + " and " + BEYOND + " on 127.0.0.1");
    }

    /** Whether something can listen on this port of 127.0.0.1 now. */
    public static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (java.net.BindException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
