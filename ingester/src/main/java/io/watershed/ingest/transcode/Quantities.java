package io.watershed.ingest.transcode;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Quantities in Kubernetes' canonical form: the largest suffix of their own kind (decimal, binary, exponent) that needs no fraction, at most
 * nine digits behind the point, rounded away from zero. Some that are not canonical pass as they are written, because kube-apiserver's
 * short cut lets them pass.
 */
final class Quantities {
    static final byte[] ZERO = "\"0\"".getBytes(US_ASCII);

    /** None that a person or a program wrote is longer. */
    private static final int LONGEST = 1000;

    private static final int SHORT_DIGITS = 18;
    private static final int SHORT_BINARY_DIGITS = 14;
    private static final int FINEST = -9;
    private static final int COARSEST_SI = 18;
    private static final String SUFFIX_LETTERS = "eEinumkKMGTP";
    private static final List<String> DECIMAL = List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
    private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    private static final BigInteger LARGEST_BINARY = BigInteger.valueOf(Long.MAX_VALUE);
    private static final BigInteger KIBI = BigInteger.valueOf(1024);

    private enum Format {
        DECIMAL_SI,
        BINARY_SI,
        EXPONENT
    }

    /** What a text says: digits before and behind the point, and the suffix, as a power of ten or two. */
    private record Parsed(boolean negative, String whole, String fraction, Format format, int exponent) {
        String digits() {
            return whole + fraction;
        }
    }

    private Quantities() {}

    /** Writes it as a JSON string; false when the text is no quantity. */
    static boolean put(byte[] bytes, int from, int to, JsonBuffer out) {
        if (to == from || to - from > LONGEST) {
            return false;
        }
        String text = new String(bytes, from, to - from, ISO_8859_1);
        Parsed parsed = parse(text);
        if (parsed == null) {
            return false;
        }
        out.put('"');
        out.ascii(passes(text, parsed) ? text : canonical(parsed));
        out.put('"');
        return true;
    }

    private static @Nullable Parsed parse(String text) {
        int at = text.charAt(0) == '-' || text.charAt(0) == '+' ? 1 : 0;
        int wholeFrom = span(text, at, "0");
        int wholeTo = digits(text, wholeFrom);
        int fractionFrom = wholeTo < text.length() && text.charAt(wholeTo) == '.' ? wholeTo + 1 : wholeTo;
        int fractionTo = fractionFrom > wholeTo ? digits(text, fractionFrom) : fractionFrom;
        int signAt = span(text, fractionTo, SUFFIX_LETTERS);
        boolean signed = signAt < text.length() && (text.charAt(signAt) == '-' || text.charAt(signAt) == '+');
        if (digits(text, signed ? signAt + 1 : signAt) != text.length()) {
            return null;
        }
        String suffix = text.substring(fractionTo);
        String whole = wholeTo == wholeFrom ? "0" : text.substring(wholeFrom, wholeTo);
        String fraction = text.substring(fractionFrom, fractionTo);
        boolean negative = text.charAt(0) == '-';
        int decimal = DECIMAL.indexOf(suffix);
        int binary = BINARY.indexOf(suffix);
        if (decimal >= 0) {
            return new Parsed(negative, whole, fraction, Format.DECIMAL_SI, decimal * 3 + FINEST);
        }
        if (binary > 0) {
            return new Parsed(negative, whole, fraction, Format.BINARY_SI, binary * 10);
        }
        if (suffix.length() > 1 && (suffix.charAt(0) == 'e' || suffix.charAt(0) == 'E')) {
            try {
                int exponent = (int) Long.parseLong(suffix, 1, suffix.length(), 10);
                return new Parsed(negative, whole, fraction, Format.EXPONENT, exponent);
            } catch (NumberFormatException e) {
                return null;
            }
        }
        return null;
    }

    private static int span(String text, int from, String characters) {
        int at = from;
        while (at < text.length() && characters.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }

    private static int digits(String text, int from) {
        return span(text, from, "0123456789");
    }

    /** Whether kube-apiserver shows the text as it is stored. */
    private static boolean passes(String text, Parsed parsed) {
        int count = parsed.whole.length() + parsed.fraction.length();
        if (parsed.format == Format.BINARY_SI) {
            int left = SHORT_BINARY_DIGITS - parsed.whole.length() - (int) (parsed.exponent * 3f / 10);
            if (left < 0 || !parsed.fraction.isEmpty()) {
                return false;
            }
            long value = Long.parseLong(parsed.whole);
            boolean canonical = value % 1024 != 0 && text.charAt(0) > '0' && text.indexOf('.') < 0;
            return canonical || (value & 7) != 0;
        }
        int scale = parsed.exponent - parsed.fraction.length();
        String digits = parsed.digits();
        return count <= SHORT_DIGITS
                && scale >= FINEST
                && scale % 3 == 0
                && !digits.endsWith("000")
                && digits.charAt(0) != '0';
    }

    private static String canonical(Parsed parsed) {
        BigInteger value = new BigInteger(parsed.digits());
        int exponent = -parsed.fraction.length();
        if (parsed.format == Format.BINARY_SI) {
            value = value.shiftLeft(parsed.exponent);
        } else {
            exponent += parsed.exponent;
        }
        if (value.signum() == 0) {
            return "0";
        }
        if (exponent < FINEST) {
            value = roundedUp(value, FINEST - (long) exponent);
            exponent = FINEST;
        }
        String sign = parsed.negative ? "-" : "";
        return sign
                + (parsed.format == Format.BINARY_SI
                        ? binary(value, exponent)
                        : decimal(value, exponent, parsed.format));
    }

    private static BigInteger roundedUp(BigInteger value, long places) {
        if (places > value.toString().length()) {
            return BigInteger.ONE;
        }
        BigInteger[] parts = value.divideAndRemainder(BigInteger.TEN.pow((int) places));
        return parts[1].signum() == 0 ? parts[0] : parts[0].add(BigInteger.ONE);
    }

    private static String binary(BigInteger value, int exponent) {
        BigInteger[] parts = value.divideAndRemainder(BigInteger.TEN.pow(-exponent));
        BigInteger whole = parts[0];
        if (whole.compareTo(LARGEST_BINARY) >= 0) {
            whole = LARGEST_BINARY; // whatever its fraction was
        } else if (whole.compareTo(KIBI) < 0 || parts[1].signum() != 0) {
            return decimal(value, exponent, Format.DECIMAL_SI);
        }
        int power = 0;
        for (BigInteger[] rest = whole.divideAndRemainder(KIBI);
                rest[1].signum() == 0;
                rest = whole.divideAndRemainder(KIBI)) {
            whole = rest[0];
            power++;
        }
        return whole + BINARY.get(power);
    }

    private static String decimal(BigInteger value, int exponent, Format format) {
        String digits = value.toString();
        int kept = digits.length();
        while (digits.charAt(kept - 1) == '0') {
            kept--;
        }
        int power = exponent + digits.length() - kept;
        int spare = Math.floorMod(power, 3);
        String number = digits.substring(0, kept) + "0".repeat(spare);
        power -= spare;
        if (format == Format.EXPONENT) {
            return power == 0 ? number : number + "e" + power;
        }
        return power > COARSEST_SI
                ? number
                : number + DECIMAL.get((power - FINEST) / 3); // no suffix beyond E, as Kubernetes prints it
    }
}
