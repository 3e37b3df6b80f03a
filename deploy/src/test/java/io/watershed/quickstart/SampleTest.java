package io.watershed.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SampleTest {
    @Test
    void keysSayTheSameAsTheirObjects() throws IOException {
        Set<String> keys = new HashSet<>();
        for (JsonNode entry : sample()) {
            String key = entry.path("key").asText();
            assertThat(keys.add(key)).as(key).isTrue();
            assertThat(entry.path("value").isObject()).as(key).isTrue();
            if (key.startsWith("/registry/")) {
                JsonNode metadata = entry.at("/value/metadata");
                String namespace = metadata.path("namespace").asText("");
                assertThat(key)
                        .endsWith((namespace.isEmpty() ? "/" : "/" + namespace + "/")
                                + metadata.path("name").asText());
            }
        }
        assertThat(keys).hasSizeGreaterThan(5);
    }

    private static JsonNode sample() throws IOException {
        try (InputStream stream = Objects.requireNonNull(Sample.class.getResourceAsStream("sample.json"))) {
            return new JsonMapper().readTree(stream);
        }
    }
}
