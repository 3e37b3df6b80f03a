package io.watershed.gateway.represent;

import com.fasterxml.jackson.databind.JsonNode;

/** Comparisons in a path's filter: of two texts, two booleans, two whole numbers or two others, as Go's templates compare. */
final class Comparison {
    private Comparison() {}

    static boolean holds(JsonNode left, String operator, JsonNode right) throws JsonPath.Mismatch {
        return switch (operator) {
            case "==" -> compare(left, right, false) == 0;
            case "!=" -> compare(left, right, false) != 0;
            case "<" -> compare(left, right, true) < 0;
            case "<=" -> compare(left, right, true) <= 0;
            case ">" -> compare(left, right, true) > 0;
            case ">=" -> compare(left, right, true) >= 0;
            default -> throw new JsonPath.Mismatch("no such operator");
        };
    }

    private static int compare(JsonNode left, JsonNode right, boolean ordered) throws JsonPath.Mismatch {
        if (left.isTextual() && right.isTextual()) {
            return left.asText().compareTo(right.asText());
        }
        if (isWhole(left) && isWhole(right)) {
            return Long.compare(left.longValue(), right.longValue());
        }
        if (left.isNumber() && right.isNumber() && !isWhole(left) && !isWhole(right)) {
            return Double.compare(left.doubleValue(), right.doubleValue());
        }
        if (left.isBoolean() && right.isBoolean() && !ordered) {
            return Boolean.compare(left.booleanValue(), right.booleanValue());
        }
        throw new JsonPath.Mismatch("can't be compared");
    }

    private static boolean isWhole(JsonNode value) {
        return value.isIntegralNumber() && value.canConvertToLong();
    }
}
