package io.watershed.gateway.select;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Which keys and values a label can have. Selectors that ask for others are refused, as they could only be mistakes. */
final class LabelSyntax {
    private static final int NAME_LENGTH = 63;
    private static final int PREFIX_LENGTH = 253;
    private static final String NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String VALUE = "(" + NAME + ")?";
    private static final String SUBDOMAIN = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";

    // Linear: possessive or single-choice forms of the patterns shown in messages, since what they check comes from the
    // network.
    private static final Pattern NAME_PATTERN = Pattern.compile("[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?");
    private static final Pattern LABEL_PATTERN = Pattern.compile("[a-z0-9](?:[-a-z0-9]*[a-z0-9])?");

    private LabelSyntax() {}

    static void checkKey(String key) throws SelectorSyntax {
        List<String> wrong = new ArrayList<>();
        String[] parts = key.split("/", -1);
        if (parts.length > 2) {
            wrong.add(
                    "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
                            + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '"
                            + NAME + "') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        } else {
            if (parts.length == 2) {
                checkPrefix(parts[0], wrong);
            }
            checkName(parts[parts.length - 1], wrong);
        }
        if (!wrong.isEmpty()) {
            throw new SelectorSyntax("<nil>: Invalid value: " + quoted(key) + ": " + String.join("; ", wrong));
        }
    }

    static void checkValue(String place, String value) throws SelectorSyntax {
        List<String> wrong = new ArrayList<>();
        if (value.length() > NAME_LENGTH) {
            wrong.add("must be no more than " + NAME_LENGTH + " bytes");
        }
        if (!value.isEmpty() && !NAME_PATTERN.matcher(value).matches()) {
            wrong.add(
                    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start"
                            + " and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for"
                            + " validation is '" + VALUE + "')");
        }
        if (!wrong.isEmpty()) {
            throw new SelectorSyntax(place + ": Invalid value: " + quoted(value) + ": " + String.join("; ", wrong));
        }
    }

    private static void checkPrefix(String prefix, List<String> wrong) {
        if (prefix.isEmpty()) {
            wrong.add("prefix part must be non-empty");
            return;
        }
        if (prefix.length() > PREFIX_LENGTH) {
            wrong.add("prefix part must be no more than " + PREFIX_LENGTH + " bytes");
        }
        for (String label : prefix.split("\\.", -1)) {
            if (!LABEL_PATTERN.matcher(label).matches()) {
                wrong.add(
                        "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.',"
                                + " and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation"
                                + " is '" + SUBDOMAIN + "')");
                return;
            }
        }
    }

    private static void checkName(String name, List<String> wrong) {
        if (name.isEmpty()) {
            wrong.add("name part must be non-empty");
        } else if (name.length() > NAME_LENGTH) {
            wrong.add("name part must be no more than " + NAME_LENGTH + " bytes");
        }
        if (!NAME_PATTERN.matcher(name).matches()) {
            wrong.add(
                    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
                            + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '"
                            + NAME
                            + "')");
        }
    }

    /** In double quotes, with quotes, backslashes and control characters escaped. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < 0x20 || c == 0x7f) {
                quoted.append(String.format("\\x%02x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
