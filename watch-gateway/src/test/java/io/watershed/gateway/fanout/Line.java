package io.watershed.gateway.fanout;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a test wants to know of a line of a watch. */
record Line(String type, String name, long resourceVersion, String text) {
    private static final Pattern TYPE = Pattern.compile("\\{\"type\":\"([A-Z]+)\",\"object\":\\{.*\\}\\}");
    private static final Pattern VERSION = Pattern.compile("\"resourceVersion\":\"([0-9]+)\"");
    private static final Pattern NAME = Pattern.compile("\"name\":\"([^\"]*)\"");

    static Line parse(String text) {
        Matcher type = TYPE.matcher(text);
        if (!type.matches()) {
            throw new AssertionError("not a line of a watch: " + text);
        }
        Matcher version = VERSION.matcher(text);
        Matcher name = NAME.matcher(text);
        return new Line(
                type.group(1),
                name.find() ? name.group(1) : "",
                version.find() ? Long.parseLong(version.group(1)) : 0,
                text);
    }

    boolean isEvent() {
        return type.equals("ADDED") || type.equals("MODIFIED") || type.equals("DELETED");
    }

    @Override
    public String toString() {
        return type + (name.isEmpty() ? "" : " " + name) + (resourceVersion == 0 ? "" : "@" + resourceVersion);
    }
}
