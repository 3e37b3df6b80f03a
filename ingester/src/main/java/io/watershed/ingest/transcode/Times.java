package io.watershed.ingest.transcode;

/** Instants as RFC 3339 in UTC: seconds, or six digits of a second. */
final class Times {
    /** 0001-01-01T00:00:00Z, Go's zero time. */
    private static final long ZERO = -62_135_596_800L;

    private static final long DAY = 86_400;
    private static final int MILLION = 1_000_000;
    private static final long DAYS_IN_400_YEARS = 146_097;
    /** From 0000-03-01 to 1970-01-01. */
    private static final long DAYS_BEFORE_1970 = 719_468;

    private Times() {}

    static boolean isZero(long seconds, int nanos) {
        return seconds == ZERO && nanos / 1000 == 0;
    }

    /** Nanos count only where JSON shows micros; like Go, more than a second's, or negative ones, carry over. */
    static void put(boolean absent, long seconds, int nanos, boolean micros, JsonBuffer out) {
        int part = micros ? nanos / 1000 : 0;
        if (absent || (seconds == ZERO && part == 0)) {
            out.putNull();
            return;
        }
        long second = seconds + Math.floorDiv(part, MILLION);
        out.put('"');
        date(Math.floorDiv(second, DAY), out);
        out.put('T');
        int ofDay = (int) Math.floorMod(second, DAY);
        out.twoDigits(ofDay / 3600);
        out.put(':');
        out.twoDigits(ofDay / 60 % 60);
        out.put(':');
        out.twoDigits(ofDay % 60);
        if (micros) {
            int fraction = Math.floorMod(part, MILLION);
            out.put('.');
            out.twoDigits(fraction / 10_000);
            out.twoDigits(fraction / 100 % 100);
            out.twoDigits(fraction % 100);
        }
        out.put('Z');
        out.put('"');
    }

    /** Years are counted from March, so that the odd day is a year's last. */
    private static void date(long daysSince1970, JsonBuffer out) {
        long days = daysSince1970 + DAYS_BEFORE_1970;
        long era = Math.floorDiv(days, DAYS_IN_400_YEARS);
        int ofEra = (int) Math.floorMod(days, DAYS_IN_400_YEARS);
        int year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365;
        int ofYear = ofEra - (365 * year + year / 4 - year / 100);
        int month = (5 * ofYear + 2) / 153;
        int day = ofYear - (153 * month + 2) / 5 + 1;
        long civilYear = era * 400 + year + (month >= 10 ? 1 : 0);
        year(civilYear, out);
        out.put('-');
        out.twoDigits(month < 10 ? month + 3 : month - 9);
        out.put('-');
        out.twoDigits(day);
    }

    private static void year(long year, JsonBuffer out) {
        if (year >= 0 && year <= 9999) {
            out.twoDigits((int) year / 100);
            out.twoDigits((int) year % 100);
        } else {
            String digits = Long.toString(Math.abs(year));
            out.ascii((year < 0 ? "-" : "") + "0".repeat(Math.max(0, 4 - digits.length())) + digits);
        }
    }
}
