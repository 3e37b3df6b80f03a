package io.watershed.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.Objects;

/** A few objects to look at: written once, into an etcd that the quick start itself started. */
final class Sample {
    private Sample() {}

    /** @return how many objects it wrote; 0: they were written on an earlier day */
    static int load(EtcdServer etcd, DataDirectory data) throws IOException {
        if (Files.exists(data.sampleLoaded())) {
            return 0;
        }
        int count = 0;
        try (InputStream stream = Objects.requireNonNull(Sample.class.getResourceAsStream("sample.json"))) {
            JsonMapper json = new JsonMapper();
            for (JsonNode entry : json.readTree(stream)) {
                etcd.putIfAbsent(entry.path("key").asText(), json.writeValueAsString(entry.path("value")));
                count++;
            }
        }
        // Somebody who deletes them does not want them back.
        Files.writeString(data.sampleLoaded(), count + " objects\n");
        return count;
    }
}
