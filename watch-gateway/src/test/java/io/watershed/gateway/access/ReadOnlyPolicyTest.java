package io.watershed.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.gateway.access.ReadOnlyPolicy.CreatableResource;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadOnlyPolicyTest {
    private static final List<CreatableResource> QUESTIONS = List.of(new CreatableResource("g.example.com", "asks"));
    private final ReadOnlyPolicy policy = new ReadOnlyPolicy(new AlwaysAllow(), QUESTIONS);

    /** Lets nobody list Secrets, and nobody ask. */
    private static final class Strict implements AccessPolicy {
        @Override
        public Decision decide(Caller caller, Action action) {
            return new Decision(
                    action.verb().equals("get") && caller.name().equals("alice"), "because of " + caller.name());
        }

        @Override
        public Rules rules(Caller caller, String namespace) {
            return new Rules(
                    List.of(
                            new Rules.OfResources(
                                    List.of("delete", "watch", "get"), List.of(""), List.of("pods"), List.of("a")),
                            new Rules.OfResources(List.of("create"), List.of(""), List.of("pods"), List.of())),
                    List.of(
                            new Rules.OfPaths(List.of("get", "post"), List.of("/version")),
                            new Rules.OfPaths(List.of("post"), List.of("/x"))),
                    "a role is missing");
        }
    }

    @Test
    void everyVerbButTheReadingOnesIsRefusedWhoeverAsks() {
        for (String verb : List.of("get", "list", "watch")) {
            assertThat(decide(policy, "", verb, "pods", "")).as(verb).isEqualTo(new Decision(true, ""));
        }
        for (String verb : List.of("create", "update", "patch", "delete", "deletecollection", "*", "", "GET", "bind")) {
            assertThat(decide(policy, "", verb, "pods", ""))
                    .as(verb)
                    .isEqualTo(new Decision(false, "this server only reads"));
        }
    }

    @Test
    void questionsCanBeAsked() {
        assertThat(decide(policy, "g.example.com", "create", "asks", "").allowed())
                .isTrue();
        assertThat(decide(policy, "g.example.com", "create", "asks", "status").allowed())
                .isFalse();
        assertThat(decide(policy, "", "create", "asks", "").allowed()).isFalse();
        assertThat(decide(policy, "g.example.com", "update", "asks", "").allowed())
                .isFalse();
    }

    @Test
    void pathsCanOnlyBeRead() {
        assertThat(policy.decide(Caller.ANONYMOUS, new Action.OnPath("/metrics", "get"))
                        .allowed())
                .isTrue();
        assertThat(policy.decide(Caller.ANONYMOUS, new Action.OnPath("/metrics", "post")))
                .isEqualTo(new Decision(false, "this server only reads"));
    }

    @Test
    void whatCanBeReadIsForThePolicyToDecide() {
        ReadOnlyPolicy strict = new ReadOnlyPolicy(new Strict(), QUESTIONS);

        assertThat(decide(strict, "", "get", "pods", "")).isEqualTo(new Decision(false, "because of system:anonymous"));
        assertThat(strict.decide(
                        new Caller("alice", "", List.of()),
                        new Action.OnResource("", "get", "", "v1", "secrets", "", "")))
                .isEqualTo(new Decision(true, "because of alice"));
    }

    @Test
    void rulesAreCutToWhatReads() {
        List<String> all = List.of("*");

        assertThat(policy.rules(Caller.ANONYMOUS, "default"))
                .isEqualTo(new Rules(
                        List.of(
                                new Rules.OfResources(
                                        List.of("create"), List.of("g.example.com"), List.of("asks"), List.of()),
                                new Rules.OfResources(List.of("get", "list", "watch"), all, all, List.of())),
                        List.of(new Rules.OfPaths(List.of("get", "head"), all)),
                        ""));
        assertThat(new ReadOnlyPolicy(new Strict(), QUESTIONS).rules(Caller.ANONYMOUS, "default"))
                .isEqualTo(new Rules(
                        List.of(new Rules.OfResources(
                                List.of("get", "watch"), List.of(""), List.of("pods"), List.of("a"))),
                        List.of(new Rules.OfPaths(List.of("get"), List.of("/version"))),
                        "a role is missing"));
    }

    private static Decision decide(
            AccessPolicy policy, String group, String verb, String resource, String subresource) {
        return policy.decide(
                Caller.ANONYMOUS, new Action.OnResource("default", verb, group, "v1", resource, subresource, ""));
    }
}
