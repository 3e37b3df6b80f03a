package io.watershed.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebSocketReaderTest {
    private final List<String> told = new ArrayList<>();
    private final WebSocketReader reader = new WebSocketReader(new WebSocketReader.Listener() {
        @Override
        public void pinged(Buffer payload) {
            told.add("ping " + payload);
        }

        @Override
        public void closed() {
            told.add("closed");
        }

        @Override
        public void broken(int code) {
            told.add("broken " + code);
        }
    });

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100_000})
    void findsPingsAmongMessagesHoweverTheBytesAreCut(int piece) {
        Buffer bytes = Buffer.buffer()
                .appendBuffer(frame(0x81, 10))
                .appendBuffer(frame(0x89, 3))
                .appendBuffer(frame(0x01, 200))
                .appendBuffer(frame(0x89, 0))
                .appendBuffer(frame(0x00, 0))
                .appendBuffer(frame(0x80, 3000))
                .appendBuffer(frame(0x8a, 125))
                .appendBuffer(frame(0x82, 4096))
                .appendBuffer(frame(0x89, 125))
                .appendBuffer(frame(0x88, 2))
                .appendBuffer(frame(0x89, 1));
        for (int at = 0; at < bytes.length(); at += piece) {
            reader.read(bytes.getBuffer(at, Math.min(bytes.length(), at + piece)));
        }

        assertThat(told).containsExactly("ping aaa", "ping ", "ping " + "a".repeat(125), "closed");
    }

    @Test
    void boundsAMessageOverAllItsFrames() {
        reader.read(frame(0x01, 4096));
        assertThat(told).isEmpty();
        reader.read(frame(0x80, 1));
        assertThat(told).containsExactly("broken 1009");
        reader.read(frame(0x89, 1));
        assertThat(told).containsExactly("broken 1009");
    }

    @ParameterizedTest
    @CsvSource({
        "0x827f7fffffffffffffff, 1002",
        "0x82ff7fffffffffffffff00000000, 1009",
        "0x82ffffffffffffffffff00000000, 1009",
        "0x8100, 1002",
        "0xc180, 1002",
        "0x8380, 1002",
        "0x8b80, 1002",
        "0x8080, 1002",
        "0x0980, 1002",
        "0x89fe, 1002",
    })
    void breaksOffAtTheFirstFault(String hex, int code) {
        Buffer bytes = Buffer.buffer();
        for (int at = 2; at < hex.length(); at += 2) {
            bytes.appendByte((byte) Integer.parseInt(hex.substring(at, at + 2), 16));
        }
        reader.read(bytes);
        assertThat(told).containsExactly("broken " + code);
    }

    private static Buffer frame(int first, int length) {
        Buffer frame = Buffer.buffer().appendByte((byte) first);
        if (length < 126) {
            frame.appendByte((byte) (0x80 | length));
        } else {
            frame.appendByte((byte) 0xfe).appendUnsignedShort(length);
        }
        byte[] mask = {9, 8, 7, 6};
        frame.appendBytes(mask);
        for (int i = 0; i < length; i++) {
            frame.appendByte((byte) ('a' ^ mask[i % 4]));
        }
        return frame;
    }
}
