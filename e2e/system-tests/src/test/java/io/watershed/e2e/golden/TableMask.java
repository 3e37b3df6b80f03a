package io.watershed.e2e.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Masks what the clock decides in a Table, after checking that it is right: an age against the object's creation and the clock, other
 * relative times by their form. It keeps the columns that came last, since in a watch only the first event has them.
 */
final class TableMask {
    private static final Set<String> RELATIVE =
            Set.of("age", "first seen", "last seen", "last schedule", "duration", "since");
    private static final Set<String> TIMELESS = Set.of("<unknown>", "<none>", "");
    private static final Pattern AGO = Pattern.compile("\\([0-9dhmsy]+ ago\\)");

    private record Column(String name, boolean relative) {}

    private final boolean recorded;
    private final Instant asked;
    private final Instant now;
    private List<Column> columns = List.of();

    private TableMask(boolean recorded, Instant asked, Instant now) {
        this.recorded = recorded;
        this.asked = asked;
        this.now = now;
    }

    /** For a recorded answer, whose ages were right once. */
    static TableMask ofRecorded() {
        return new TableMask(true, Instant.EPOCH, Instant.EPOCH);
    }

    /** For an answer that a server gave between the two times. */
    static TableMask ofAnswer(Instant asked, Instant now) {
        return new TableMask(false, asked, now);
    }

    static boolean isTable(JsonNode node) {
        return node.path("kind").asText().equals("Table");
    }

    void apply(ObjectNode table) throws UnreadableAnswerException {
        List<Column> own = new ArrayList<>();
        for (JsonNode definition : table.path("columnDefinitions")) {
            ObjectNode column = ExactJson.object(definition, "a column");
            column.remove("description");
            String name = column.path("name").asText().toLowerCase(Locale.ROOT);
            boolean date = column.path("format").asText().equals("date")
                    || column.path("type").asText().equals("date");
            own.add(new Column(name, date || RELATIVE.contains(name)));
        }
        if (!own.isEmpty()) {
            columns = own;
        }
        for (JsonNode row : table.path("rows")) {
            if (row.get("cells") instanceof ArrayNode cells) {
                mask(cells, row.path("object").path("metadata").path("creationTimestamp"));
            }
        }
    }

    private void mask(ArrayNode cells, JsonNode created) throws UnreadableAnswerException {
        for (int i = 0; i < cells.size(); i++) {
            JsonNode cell = cells.get(i);
            if (i >= columns.size()) {
                cells.set(i, "<cell without a column>");
            } else if (columns.get(i).relative() && !cell.isNull() && !TIMELESS.contains(cell.asText())) {
                boolean right = isRight(columns.get(i), cell, created);
                cells.set(i, right ? "<relative time>" : "<not the right time: " + cell.asText() + ">");
            } else if (cell.isTextual()) {
                cells.set(i, AGO.matcher(cell.textValue()).replaceAll("(<relative> ago)"));
            }
        }
    }

    private boolean isRight(Column column, JsonNode cell, JsonNode created) throws UnreadableAnswerException {
        if (!cell.isTextual() || !AgeText.isOne(cell.textValue())) {
            return false;
        }
        if (recorded
                || !column.name().equals("age")
                || ExactJson.textOf(created).isEmpty()) {
            return true;
        }
        try {
            Instant made = OffsetDateTime.parse(created.asText()).toInstant();
            return AgeText.fits(cell.textValue(), made, asked, now);
        } catch (DateTimeParseException e) {
            throw new UnreadableAnswerException("creationTimestamp " + created);
        }
    }
}
