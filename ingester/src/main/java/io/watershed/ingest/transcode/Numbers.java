package io.watershed.ingest.transcode;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Floating point numbers as Go's JSON has them: the fewest digits that give the same number, an exponent from 1e21 on and below 1e-6. */
final class Numbers {
    private static final int MOST_DIGITS = 17;
    private static final RoundingMode[] MODES = {RoundingMode.HALF_EVEN, RoundingMode.DOWN, RoundingMode.UP};
    private static final double EXACT = 1e15;
    private static final double LARGE = 1e21;
    private static final double SMALL = 1e-6;

    private Numbers() {}

    static void put(double value, JsonBuffer out) throws Undecodable {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new Undecodable("value has a number that JSON can't hold");
        }
        if (value == 0) {
            out.ascii(1 / value < 0 ? "-0" : "0");
        } else if (value == Math.rint(value) && Math.abs(value) < EXACT) {
            out.number((long) value);
        } else {
            BigDecimal shortest = shortest(value).stripTrailingZeros();
            double size = Math.abs(value);
            out.ascii(size < SMALL || size >= LARGE ? exponential(shortest) : shortest.toPlainString());
        }
    }

    /** Of the shortest the closest; beside a power of two that need not be the one that rounding gives. */
    private static BigDecimal shortest(double value) {
        BigDecimal exact = new BigDecimal(value);
        for (int digits = 1; digits < MOST_DIGITS; digits++) {
            for (RoundingMode mode : MODES) {
                BigDecimal rounded = exact.round(new MathContext(digits, mode));
                if (rounded.doubleValue() == value) {
                    return rounded;
                }
            }
        }
        return exact.round(new MathContext(MOST_DIGITS, RoundingMode.HALF_EVEN));
    }

    private static String exponential(BigDecimal value) {
        String digits = value.unscaledValue().abs().toString();
        int exponent = digits.length() - 1 - value.scale();
        return (value.signum() < 0 ? "-" : "")
                + digits.charAt(0)
                + (digits.length() == 1 ? "" : "." + digits.substring(1))
                + (exponent < 0 ? "e-" : "e+")
                + Math.abs(exponent);
    }
}
