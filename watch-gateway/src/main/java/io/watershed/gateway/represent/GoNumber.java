package io.watershed.gateway.represent;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Doubles as Go writes them: the fewest digits that say which double it is. */
final class GoNumber {
    private GoNumber() {}

    /** As Go's {@code %v}: with an exponent of at least two digits from 10⁶ on and below 10⁻⁴. */
    static String text(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        BigDecimal digits = shortest(value);
        int exponent = digits.precision() - digits.scale() - 1;
        return exponent < -4 || exponent >= 6 ? scientific(digits, exponent, 2) : digits.toPlainString();
    }

    /** As Go's JSON: with an exponent from 10²¹ on and below 10⁻⁶. */
    static String json(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        BigDecimal digits = shortest(value);
        int exponent = digits.precision() - digits.scale() - 1;
        return exponent < -6 || exponent >= 21 ? scientific(digits, exponent, 1) : digits.toPlainString();
    }

    /** Double.toString of some Java versions has a digit too many. */
    private static BigDecimal shortest(double value) {
        BigDecimal exact = new BigDecimal(value);
        for (int precision = 1; precision < 17; precision++) {
            BigDecimal rounded = exact.round(new MathContext(precision, RoundingMode.HALF_EVEN));
            if (rounded.doubleValue() == value) {
                return rounded.stripTrailingZeros();
            }
        }
        return exact.round(new MathContext(17, RoundingMode.HALF_EVEN)).stripTrailingZeros();
    }

    private static String scientific(BigDecimal digits, int exponent, int exponentDigits) {
        String all = digits.unscaledValue().abs().toString();
        String power = Integer.toString(Math.abs(exponent));
        return (digits.signum() < 0 ? "-" : "") + all.charAt(0) + (all.length() > 1 ? "." + all.substring(1) : "") + "e"
                + (exponent < 0 ? "-" : "+") + "0".repeat(Math.max(0, exponentDigits - power.length())) + power;
    }
}
