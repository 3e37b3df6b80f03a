package io.watershed.ingest.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.catalogue.ResourceType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How a stored version becomes the canonical one of its resource, read from stored-versions.tsv. */
final class StoredVersions {
    /** What has to be done. */
    enum Step {
        /** It is the canonical version, or the value says nothing that counts beside its key. */
        NONE,
        /** The fields are the same. */
        RENAME,
        CUSTOM_RESOURCE_DEFINITION,
        EVENT,
        INGRESS,
        DISRUPTION_BUDGET,
        CERTIFICATE_REQUEST,
        /** There is no way. */
        IMPOSSIBLE;

        boolean converts() {
            return compareTo(RENAME) > 0 && this != IMPOSSIBLE;
        }
    }

    private static final String RESOURCE = "stored-versions.tsv";
    /** Deployments, ingresses and others were kinds of this group first, under the same keys. */
    private static final String BIRTHPLACE = "extensions";

    private static final Map<String, Step> STEPS = read();

    private StoredVersions() {}

    /** {@code kind} as the value says it; null or empty where it does not. */
    static Step step(ResourceType type, @Nullable String apiVersion, @Nullable String kind) {
        if (apiVersion == null || apiVersion.isEmpty() || apiVersion.equals(type.apiVersion())) {
            return Step.NONE;
        }
        boolean ownKind = kind == null || kind.isEmpty() || kind.equals(type.kind());
        Step step = STEPS.get(apiVersion + " " + type.kind());
        if (step != null && ownKind) {
            return step;
        }
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        // What another version of the group holds may mean something else; another group's value is a mistake, and the
        // key wins.
        return group.equals(type.group()) || group.equals(BIRTHPLACE) ? Step.IMPOSSIBLE : Step.NONE;
    }

    private static Map<String, Step> read() {
        Map<String, Step> steps = new HashMap<>();
        try (InputStream in = Objects.requireNonNull(StoredVersions.class.getResourceAsStream(RESOURCE));
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, UTF_8))) {
            List<String[]> rows = lines.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t", -1))
                    .toList();
            rows.forEach(row -> steps.put(row[0] + " " + row[1], Step.valueOf(row[2].toUpperCase(Locale.ROOT))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return steps;
    }
}
