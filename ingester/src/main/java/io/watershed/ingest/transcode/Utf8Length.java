package io.watershed.ingest.transcode;

/** The length of one character of UTF-8 beyond ASCII; surrogates, overlong forms and what lies behind U+10FFFF are none. */
final class Utf8Length {
    private Utf8Length() {}

    /** 2 to 4, or 0 when the bytes at this place are no character. */
    static int at(byte[] text, int at, int to) {
        int lead = text[at] & 0xff;
        int length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
        if (length == 0 || at + length > to) {
            return 0;
        }
        int second = text[at + 1] & 0xff;
        int least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        int most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        if (second < least || second > most) {
            return 0;
        }
        for (int next = at + 2; next < at + length; next++) {
            if ((text[next] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return length;
    }
}
