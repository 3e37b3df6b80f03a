package io.watershed.gateway.represent;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.gateway.api.JsonIndenter;
import java.io.ByteArrayOutputStream;

/** How JSON is written down. */
public enum Syntax {
    JSON("application/json"),
    /** Two spaces a level. */
    INDENTED_JSON("application/json"),
    /** Members sorted, as Kubernetes writes it. */
    YAML("application/yaml");

    private final String contentType;

    Syntax(String contentType) {
        this.contentType = contentType;
    }

    public String contentType() {
        return contentType;
    }

    /** A body. {@code json}: compact, without a line feed. */
    public byte[] document(byte[] json) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(json.length + 1);
        switch (this) {
            case JSON -> {
                out.writeBytes(json);
                out.write('\n');
            }
            case INDENTED_JSON -> out.writeBytes(JsonIndenter.indented(json));
            case YAML -> {
                YamlWriter yaml = new YamlWriter();
                yaml.begin();
                yaml.value(json);
                yaml.end();
                out.writeBytes(yaml.take().getBytes(UTF_8));
            }
        }
        return out.toByteArray();
    }
}
