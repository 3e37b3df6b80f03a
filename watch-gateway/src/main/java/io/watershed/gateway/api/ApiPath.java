package io.watershed.gateway.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.catalogue.ResourceType;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the path of a request names. Shapes and answers to what is not there are kube-apiserver's. */
public sealed interface ApiPath {
    /** What stands in a document's name without an escape. */
    String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    /** Possessive, since Java's matcher calls itself for each repetition otherwise, and names may be long. */
    Pattern DOCUMENT_NAME = Pattern.compile("(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})++");

    /** A collection: LIST or WATCH. {@code namespace}: null for all. */
    record Objects(ResourceType type, @Nullable String namespace) implements ApiPath {}

    /** One object, or its status, which is the same. */
    record Single(ResourceType type, @Nullable String namespace, String name) implements ApiPath {}

    /** One object as a Scale. */
    record Scale(ResourceType type, @Nullable String namespace, String name) implements ApiPath {}

    /** The deprecated form of a watch: below {@code /watch/}. {@code name}: null for a collection. */
    record WatchPrefix(
            ResourceType type,
            @Nullable String namespace,
            @Nullable String name) implements ApiPath {}

    /** A question that is asked by POST. */
    record Review(SelfReview review) implements ApiPath {}

    /** {@code /api} and {@code /apis}. */
    record Groups(boolean core) implements ApiPath {}

    /** {@code /apis/GROUP}. */
    record Group(String group) implements ApiPath {}

    /** {@code /api/v1} and {@code /apis/GROUP/VERSION}. */
    record GroupVersion(String group, String version) implements ApiPath {}

    /** Not there, below a group of which clients expect a Status. */
    record Unknown() implements ApiPath {}

    /** Not there, anywhere else: plain text. */
    record NoPath() implements ApiPath {}

    /**
     * Reads a path below /api or /apis.
     *
     * @param rawPath as it was sent, escaped
     * @throws ApiFailure 400 for malformed escapes
     */
    static ApiPath parse(String rawPath, Resources resources) throws ApiFailure {
        List<String> segments = new ArrayList<>();
        String path =
                rawPath.endsWith("/") && rawPath.length() > 1 ? rawPath.substring(0, rawPath.length() - 1) : rawPath;
        for (String segment : path.substring(1).split("/", -1)) {
            segments.add(PercentDecoder.decode(segment, false));
        }
        boolean core = segments.get(0).equals("api");
        if (!core && !segments.get(0).equals("apis")) {
            return new NoPath();
        }
        if (segments.size() == 1) {
            return new Groups(core);
        }
        if (core) {
            return below("", segments.get(1), segments.subList(2, segments.size()), resources);
        }
        String group = segments.get(1);
        if (group.isEmpty() || !resources.hasGroup(group)) {
            return new NoPath();
        }
        if (segments.size() == 2) {
            return new Group(group);
        }
        return below(group, segments.get(2), segments.subList(3, segments.size()), resources);
    }

    private static ApiPath below(String group, String version, List<String> rest, Resources resources) {
        ApiPath absent = Resources.isBuiltIn(group) ? new Unknown() : new NoPath();
        if (!resources.hasVersion(group, version)) {
            return absent;
        }
        if (rest.isEmpty()) {
            return new GroupVersion(group, version);
        }
        if (rest.contains("")) {
            return absent;
        }
        SelfReview review = rest.size() == 1 ? SelfReview.of(group, version, rest.get(0)) : null;
        if (review != null) {
            return new Review(review);
        }
        boolean watch = rest.get(0).equals("watch") && rest.size() > 1;
        ApiPath found = resource(group, version, watch ? rest.subList(1, rest.size()) : rest, resources);
        if (found == null) {
            return absent;
        }
        if (!watch) {
            return found;
        }
        if (found instanceof Objects objects) {
            return new WatchPrefix(objects.type(), objects.namespace(), null);
        }
        return found instanceof Single single
                ? new WatchPrefix(single.type(), single.namespace(), single.name())
                : absent;
    }

    private static @Nullable ApiPath resource(String group, String version, List<String> rest, Resources resources) {
        boolean inNamespace = rest.get(0).equals("namespaces") && rest.size() > 2 && !isSubresource(rest.get(2), rest);
        String given = inNamespace ? rest.get(1) : null;
        List<String> own = inNamespace ? rest.subList(2, rest.size()) : rest;
        ResourceType type = resources.find(group, version, own.get(0));
        if (type == null || (inNamespace && !type.namespaced())) {
            return null;
        }
        String namespace = given != null && type.isDocument() ? documentName(given) : given;
        if (own.size() == 1) {
            return new Objects(type, namespace);
        }
        boolean status = own.size() == 3 && own.get(2).equals("status") && type.hasStatus();
        boolean scale = own.size() == 3 && own.get(2).equals("scale") && resources.scale(type) != null;
        if ((own.size() > 2 && !status && !scale) || (type.namespaced() && namespace == null)) {
            return null;
        }
        if (scale) {
            return new Scale(type, namespace, own.get(1));
        }
        return new Single(type, namespace, type.isDocument() ? documentName(own.get(1)) : own.get(1));
    }

    /**
     * A document's name is its key, or the end of its key, with escapes, and clients escape names once more. People leave that out, and
     * write the name into the path as it is; so a segment that is no name when its escapes are taken away is the key. Namespaces alike.
     */
    private static String documentName(String segment) {
        if (DOCUMENT_NAME.matcher(segment).matches()) {
            return segment;
        }
        StringBuilder name = new StringBuilder(segment.length() + 16);
        for (byte b : segment.getBytes(UTF_8)) {
            char c = (char) (b & 0xff);
            if (UNRESERVED.indexOf(c) >= 0) {
                name.append(c);
            } else {
                name.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return name.toString();
    }

    /** {@code namespaces/NAME/status} is of the namespace itself. */
    private static boolean isSubresource(String word, List<String> rest) {
        return rest.size() == 3 && (word.equals("status") || word.equals("finalize"));
    }
}
