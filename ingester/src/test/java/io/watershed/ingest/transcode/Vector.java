package io.watershed.ingest.transcode;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Values as Kubernetes stores them and the JSON that it shows. {@code kubernetes.jsonl.gz} holds the public test data of k8s.io/api v0.37
 * (Apache-2.0), with every field filled; {@code generated} random ones, the first of each file with nothing set, the second with every
 * pointer and list set to zeros.
 */
final class Vector {
    private final byte[] stored;
    private final Object json;

    private Vector(byte[] stored, Object json) {
        this.stored = stored;
        this.json = json;
    }

    byte[] stored() {
        return stored;
    }

    Object json() {
        return json;
    }

    /** A number's digits, so that 1.0 is not 1. */
    record Digits(String text) {}

    static List<Vector> full() {
        return read(resources().resolve("kubernetes.jsonl.gz"));
    }

    static Stream<Path> generated() {
        try (Stream<Path> files = Files.list(resources().resolve("generated"))) {
            return files.sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path resources() {
        try {
            URI uri = Objects.requireNonNull(Vector.class.getResource("generated"))
                    .toURI();
            return Objects.requireNonNull(Path.of(uri).getParent());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    static List<Vector> read(Path file) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), UTF_8))) {
            List<Vector> vectors = new ArrayList<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Map<String, @Nullable Object> members = members(tree(line));
                vectors.add(new Vector(
                        Base64.getDecoder().decode((String) members.get("pb")),
                        Objects.requireNonNull(members.get("json"))));
            }
            return vectors;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("unchecked")
    static Map<String, @Nullable Object> members(@Nullable Object object) {
        return (Map<String, @Nullable Object>) Objects.requireNonNull(object);
    }

    /** Objects as sorted maps, numbers as digits. Fails on duplicate members. */
    static @Nullable Object tree(String json) {
        JsonFactory factory = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        try (JsonParser parser = factory.createParser(json)) {
            parser.nextToken();
            Object tree = tree(parser);
            if (parser.nextToken() != null) {
                throw new IOException("goes on behind its end");
            }
            return tree;
        } catch (IOException e) {
            throw new UncheckedIOException(json, e);
        }
    }

    private static @Nullable Object tree(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> members = new TreeMap<>();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    parser.nextToken();
                    members.put(name, tree(parser));
                }
                yield members;
            }
            case START_ARRAY -> {
                List<@Nullable Object> elements = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    elements.add(tree(parser));
                }
                yield elements;
            }
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Digits(parser.getText());
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }
}
