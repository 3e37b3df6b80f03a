package io.watershed.quickstart;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Every port follows from one number, so that several quick starts can live on one machine. */
record Ports(int base) {
    static final int MOST_GATEWAYS = 10;
    /** The distance from the base to the highest port. */
    static final int SPAN = 31;

    static final String HOST = "127.0.0.1";

    /** @param number from 1 */
    int gateway(int number) {
        return base + number - 1;
    }

    int ingester() {
        return base + 10;
    }

    int etcd() {
        return base + 20;
    }

    int etcdPeers() {
        return base + 21;
    }

    int kafka() {
        return base + 30;
    }

    int kafkaController() {
        return base + 31;
    }

    static String url(int port) {
        return "http://" + HOST + ":" + port;
    }

    static boolean isTaken(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
            return false;
        } catch (BindException e) {
            return true;
        }
    }
}
