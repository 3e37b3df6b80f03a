package io.watershed.gateway.review;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.watershed.gateway.access.AccessPolicy;
import io.watershed.gateway.access.Action;
import io.watershed.gateway.access.Caller;
import io.watershed.gateway.access.Decision;
import io.watershed.gateway.access.ReadOnlyPolicy;
import io.watershed.gateway.access.Rules;
import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.api.SelfReview;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers what callers ask about themselves, in kube-apiserver's words: what they may do here, which is never more than reading.
 *
 * <p><em>Threads:</em> any, if the policy is.
 */
public final class Reviews {
    /** Longest body, in bytes. Those of real clients have some hundred. */
    public static final int MAX_BODY = 64 << 10;

    private final AccessPolicy policy;
    private final InstantSource clock;

    /** {@code policy}: what decides about reading. */
    public Reviews(AccessPolicy policy, InstantSource clock) {
        this.policy = new ReadOnlyPolicy(
                policy,
                Arrays.stream(SelfReview.values())
                        .map(review -> new ReadOnlyPolicy.CreatableResource(
                                review.type().group(), review.type().plural()))
                        .toList());
        this.clock = clock;
    }

    /**
     * Whether bodies of a type are read, so that nobody sends one in vain.
     *
     * @throws ApiFailure 415 if not
     */
    public void check(@Nullable String contentType) throws ApiFailure {
        ReviewBody.check(contentType);
    }

    /**
     * The answer, as compact JSON; its status is 201.
     *
     * @throws ApiFailure 400 for a body that can't be read, 422 for one that asks nothing
     */
    public byte[] answer(SelfReview review, Caller caller, @Nullable String contentType, byte[] body)
            throws ApiFailure {
        ReviewBody asked = ReviewBody.parse(review, contentType, body);
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.put("kind", review.type().kind()).put("apiVersion", review.type().apiVersion());
        ObjectNode metadata = answer.putObject("metadata");
        switch (review) {
            case SUBJECT -> {
                metadata.put(
                        "creationTimestamp",
                        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
                subject(answer.putObject("status").putObject("userInfo"), caller);
            }
            case ACCESS -> access(answer, asked.action(), caller);
            case RULES -> {
                Rules rules = policy.rules(caller, asked.namespace());
                answer.putObject("spec");
                rules(answer.putObject("status"), rules);
            }
        }
        return answer.toString().getBytes(UTF_8);
    }

    private static void subject(ObjectNode info, Caller caller) {
        info.put("username", caller.name());
        optional(info, "uid", caller.uid());
        array(info, "groups", caller.groups());
    }

    private void access(ObjectNode answer, Action action, Caller caller) {
        ObjectNode spec = answer.putObject("spec");
        if (action instanceof Action.OnResource resource) {
            ObjectNode out = spec.putObject("resourceAttributes");
            optional(out, "namespace", resource.namespace());
            optional(out, "verb", resource.verb());
            optional(out, "group", resource.group());
            optional(out, "version", resource.version());
            optional(out, "resource", resource.resource());
            optional(out, "subresource", resource.subresource());
            optional(out, "name", resource.name());
        } else if (action instanceof Action.OnPath path) {
            ObjectNode out = spec.putObject("nonResourceAttributes");
            optional(out, "path", path.path());
            optional(out, "verb", path.verb());
        } else {
            throw new IllegalStateException("no such action: " + action);
        }
        Decision decision = policy.decide(caller, action);
        ObjectNode status = answer.putObject("status").put("allowed", decision.allowed());
        optional(status, "reason", decision.reason());
    }

    private static void rules(ObjectNode status, Rules rules) {
        ArrayNode resources = status.putArray("resourceRules");
        for (Rules.OfResources rule : rules.resources()) {
            ObjectNode out = resources.addObject();
            array(out, "verbs", rule.verbs());
            array(out, "apiGroups", rule.groups());
            array(out, "resources", rule.resources());
            if (!rule.names().isEmpty()) {
                array(out, "resourceNames", rule.names());
            }
        }
        ArrayNode paths = status.putArray("nonResourceRules");
        for (Rules.OfPaths rule : rules.paths()) {
            ObjectNode out = paths.addObject();
            array(out, "verbs", rule.verbs());
            array(out, "nonResourceURLs", rule.paths());
        }
        status.put("incomplete", !rules.gap().isEmpty());
        optional(status, "evaluationError", rules.gap());
    }

    private static void array(ObjectNode out, String name, List<String> texts) {
        ArrayNode array = out.putArray(name);
        texts.forEach(array::add);
    }

    private static void optional(ObjectNode out, String name, String text) {
        if (!text.isEmpty()) {
            out.put(name, text);
        }
    }
}
