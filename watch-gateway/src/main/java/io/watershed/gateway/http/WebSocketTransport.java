package io.watershed.gateway.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.fanout.Framing;
import io.watershed.gateway.fanout.LoopDispatcher;
import io.watershed.gateway.fanout.WatchOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch over a WebSocket (RFC 6455): the handshake. The socket is taken over from HTTP and written to by {@link WebSocketWatch}, since
 * the frames come ready from the fan-out, one batch in one write.
 */
final class WebSocketTransport implements WatchTransport {
    private static final Logger LOGGER = LoggerFactory.getLogger(WebSocketTransport.class);

    /** Of RFC 6455: what proves that the server has understood the handshake. */
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    /** How browsers, which can't set headers here, send a bearer token. It is a secret: never echoed, never logged. */
    private static final String TOKEN_PREFIX = "base64url.bearer.authorization.k8s.io.";

    private final Vertx vertx;
    private final Exchange exchange;
    private final String key;

    private WebSocketTransport(Vertx vertx, Exchange exchange, String key) {
        this.vertx = vertx;
        this.exchange = exchange;
        this.key = key;
    }

    /** @throws ApiFailure when the handshake is none of version 13, or offers no protocol but a token */
    static WebSocketTransport of(Vertx vertx, Exchange exchange) throws ApiFailure {
        if (!"13".equals(exchange.request().getHeader("Sec-WebSocket-Version"))) {
            exchange.response().putHeader("Sec-WebSocket-Version", "13");
            throw new ApiFailure(Status.badRequest("the WebSocket's version must be 13"));
        }
        String key = exchange.request().getHeader("Sec-WebSocket-Key");
        if (key == null || key.isBlank()) {
            throw new ApiFailure(Status.badRequest("the WebSocket's handshake has no Sec-WebSocket-Key"));
        }
        List<String> offered = exchange.request().headers().getAll("Sec-WebSocket-Protocol");
        if (!offered.isEmpty() && protocol(offered) == null) {
            // A browser gives up when none of those that it offers is chosen.
            throw new ApiFailure(
                    Status.badRequest("Sec-WebSocket-Protocol holds a token alone, which an answer must not repeat:"
                            + " offer another protocol beside it"));
        }
        return new WebSocketTransport(vertx, exchange, key.strip());
    }

    @Override
    public Framing framing() {
        return Framing.WEB_SOCKET;
    }

    @Override
    public void open(LoopDispatcher dispatcher, WatchOrder order) {
        upgrade(socket -> new WebSocketWatch(vertx, socket).serve(dispatcher, order));
    }

    @Override
    public void fail(Status status) {
        upgrade(socket -> new WebSocketWatch(vertx, socket).fail(LineStream.error(status)));
    }

    private void upgrade(Consumer<NetSocket> then) {
        exchange.api(101)
                .putHeader("Upgrade", "websocket")
                .putHeader("Connection", "Upgrade")
                .putHeader("Sec-WebSocket-Accept", proof(key));
        String protocol = protocol(exchange.request().headers().getAll("Sec-WebSocket-Protocol"));
        if (protocol != null) {
            exchange.response().putHeader("Sec-WebSocket-Protocol", protocol);
        }
        exchange.upgrade().onComplete(upgraded -> {
            if (upgraded.succeeded()) {
                then.accept(upgraded.result());
            } else {
                LOGGER.atDebug().setCause(upgraded.cause()).log("client went away during the handshake");
            }
        });
    }

    static String proof(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }

    /** The first protocol offered that is no token; null if there is none. */
    static @Nullable String protocol(List<String> headers) {
        for (String header : headers) {
            for (String offered : header.split(",", -1)) {
                String name = offered.strip();
                if (!name.isEmpty() && !name.toLowerCase(Locale.ROOT).startsWith(TOKEN_PREFIX)) {
                    return name;
                }
            }
        }
        return null;
    }

    /** A frame of a text message, for what is not framed by the fan-out. */
    static Buffer text(byte[] message) {
        Buffer frame = Buffer.buffer().appendByte((byte) 0x81);
        if (message.length < 126) {
            frame.appendByte((byte) message.length);
        } else if (message.length <= 0xffff) {
            frame.appendByte((byte) 126).appendUnsignedShort(message.length);
        } else {
            frame.appendByte((byte) 127).appendLong(message.length);
        }
        return frame.appendBytes(message);
    }
}
