package io.watershed.ingest.transcode;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.ResourceType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FieldTableTest {
    private static final FieldTable TABLE = FieldTable.kubernetes();

    private static Stream<ResourceType> catalogue() {
        return Stream.concat(BuiltInResources.kubernetes().stream(), BuiltInResources.optional().stream());
    }

    @Test
    void everyKindOfTheCatalogueCanBeDecoded() {
        catalogue()
                .forEach(type -> assertThat(ProtobufObject.knows(type.apiVersion(), type.kind()))
                        .as(type.resource())
                        .isTrue());
    }

    /** "Rename" is only right where both versions have the same fields under the same numbers. */
    @Test
    void renamedVersionsHaveTheSameFields() throws IOException {
        Map<String, ResourceType> byKind = new HashMap<>();
        catalogue().forEach(type -> byKind.put(type.kind(), type));
        List<String[]> renames =
                storedVersions().stream().filter(row -> row[2].equals("rename")).toList();
        assertThat(renames).hasSizeGreaterThan(50);
        for (String[] row : renames) {
            ResourceType canonical = Objects.requireNonNull(byKind.get(row[1]), row[1]);
            List<String> differences = new ArrayList<>();
            compare(
                    TABLE.message(row[0], row[1]),
                    TABLE.message(canonical.apiVersion(), row[1]),
                    row[1],
                    new HashSet<>(),
                    differences);
            assertThat(differences).as("%s of %s", row[1], row[0]).isEmpty();
        }
    }

    @Test
    void everyOtherStoredVersionIsOneOfTheCatalogueAndCanBeDecoded() throws IOException {
        Set<String> kinds = new HashSet<>();
        catalogue().forEach(type -> kinds.add(type.kind()));
        for (String[] row : storedVersions()) {
            assertThat(kinds).contains(row[1]);
            assertThat(ProtobufObject.knows(row[0], row[1]))
                    .as("%s %s", row[0], row[1])
                    .isTrue();
        }
    }

    private static List<String[]> storedVersions() throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(
                        FieldTableTest.class.getResourceAsStream("/io/watershed/ingest/decode/stored-versions.tsv")),
                StandardCharsets.UTF_8))) {
            return lines.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t", -1))
                    .toList();
        }
    }

    private static void compare(
            @Nullable MessageType old,
            @Nullable MessageType today,
            String path,
            Set<String> compared,
            List<String> differences) {
        if (old == null || today == null) {
            differences.add(path + " has no message");
            return;
        }
        if (!compared.add(old.name + " " + today.name)) {
            return;
        }
        for (Field field : old.fields()) {
            Field other = today.field(field.number);
            String place = path + "." + field.name;
            if (other == null || !other.name.equals(field.name) || other.kind != field.kind) {
                differences.add(place + " is " + other);
            } else if (field.repeated() && other.shape != field.shape) {
                differences.add(place + " is a " + other.shape);
            } else if (field.message != null) {
                compare(field.message, other.message, place, compared, differences);
            }
        }
        today.fields().stream()
                .filter(field -> old.field(field.number) == null)
                .forEach(field -> differences.add(path + "." + field.name + " is new"));
    }
}
