package io.watershed.gateway.review;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.api.Status;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A message in JSON. Members that nobody asks for are ignored, as Kubernetes does. */
record JsonMessage(JsonNode object) implements Message {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    static JsonMessage parse(byte[] body) throws ApiFailure {
        JsonNode json;
        try {
            json = JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw new ApiFailure(Status.badRequest("the body is no JSON: " + e.getOriginalMessage()));
        } catch (IOException e) {
            throw new ApiFailure(Status.badRequest("the body is no JSON: " + e.getMessage()));
        }
        return of(json, "the body");
    }

    private static JsonMessage of(JsonNode json, String what) throws ApiFailure {
        if (!json.isObject()) {
            throw new ApiFailure(Status.badRequest(what + " is no JSON object"));
        }
        return new JsonMessage(json);
    }

    @Override
    public String text(String name, int number) throws ApiFailure {
        JsonNode member = object.path(name);
        if (member.isMissingNode() || member.isNull()) {
            return "";
        }
        if (!member.isTextual()) {
            throw new ApiFailure(Status.badRequest("the body's member " + name + " is no text"));
        }
        return member.textValue();
    }

    @Override
    public @Nullable Message message(String name, int number) throws ApiFailure {
        JsonNode member = object.path(name);
        return member.isMissingNode() || member.isNull() ? null : of(member, "the body's member " + name);
    }
}
