package io.watershed.e2e.golden;

import io.watershed.e2e.golden.GoldenCase.Rule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What is to be said of each case after a run, in the light of the cases that are known to differ. */
public final class Verdicts {
    /** What is to be said of a case. */
    public enum Verdict {
        SAME,
        /** Differs, and nothing says that it may. */
        DIFFERS,
        /** Differs, as argued. */
        ALLOWED,
        /** Differs, as known. */
        NOT_YET,
        /** The same by now, yet listed as different. */
        STALE,
        /** Differs, and needs authentication and authorisation. */
        AUTH,
        /** Differs, and a read tier may. */
        OPTIONAL,
        NOT_ASKED
    }

    private final Map<GoldenCase, Verdict> verdicts = new LinkedHashMap<>();
    private final Map<String, Map<String, List<String>>> differences;
    private final List<String> unknown = new ArrayList<>();

    /**
     * @param differences of each case that was asked, by server
     * @param allowed ids of cases that may differ for ever
     * @param notYet ids of cases that are not right yet
     */
    public Verdicts(
            Collection<GoldenCase> cases,
            Map<String, Map<String, List<String>>> differences,
            Set<String> allowed,
            Set<String> notYet) {
        this.differences = differences;
        for (GoldenCase one : cases) {
            verdicts.put(one, verdict(one, allowed.contains(one.id()), notYet.contains(one.id())));
        }
        Set<String> ids = new HashSet<>();
        cases.forEach(one -> ids.add(one.id()));
        allowed.stream().filter(id -> !ids.contains(id) || notYet.contains(id)).forEach(unknown::add);
        notYet.stream().filter(id -> !ids.contains(id)).forEach(unknown::add);
    }

    private Verdict verdict(GoldenCase one, boolean allowed, boolean notYet) {
        Map<String, List<String>> found = differences.get(one.id());
        if (found == null) {
            return Verdict.NOT_ASKED;
        } else if (found.values().stream().allMatch(List::isEmpty)) {
            return allowed || notYet ? Verdict.STALE : Verdict.SAME;
        } else if (allowed) {
            return Verdict.ALLOWED;
        } else if (notYet) {
            return Verdict.NOT_YET;
        } else if (one.has(Rule.OPTIONAL)) {
            return Verdict.OPTIONAL;
        }
        return one.has(Rule.NEEDS_AUTHORISATION) ? Verdict.AUTH : Verdict.DIFFERS;
    }

    /** The ids of the cases of which this is to be said. */
    public List<String> of(Verdict verdict) {
        return verdicts.entrySet().stream()
                .filter(entry -> entry.getValue() == verdict)
                .map(entry -> entry.getKey().id())
                .toList();
    }

    /** Listed ids that no case has, or that are on both lists. */
    public List<String> misnamed() {
        return unknown;
    }

    /** Counts by section. */
    public String table() {
        Map<String, Map<Verdict, Integer>> sections = new TreeMap<>();
        Map<Verdict, Integer> all = new EnumMap<>(Verdict.class);
        verdicts.forEach((one, verdict) -> {
            sections.computeIfAbsent(one.section(), name -> new EnumMap<>(Verdict.class))
                    .merge(verdict, 1, Integer::sum);
            all.merge(verdict, 1, Integer::sum);
        });
        StringBuilder table = new StringBuilder(String.format(Locale.ROOT, "%-14s", "section"));
        for (Verdict verdict : Verdict.values()) {
            table.append(String.format(
                    Locale.ROOT, "%10s", verdict.name().toLowerCase(Locale.ROOT).replace('_', ' ')));
        }
        table.append('\n');
        sections.forEach((section, counts) -> appendRow(table, section, counts));
        appendRow(table, "all", all);
        return table.toString();
    }

    private static void appendRow(StringBuilder table, String name, Map<Verdict, Integer> counts) {
        table.append(String.format(Locale.ROOT, "%-14s", name));
        for (Verdict verdict : Verdict.values()) {
            table.append(String.format(Locale.ROOT, "%10d", counts.getOrDefault(verdict, 0)));
        }
        table.append('\n');
    }

    /** Each case that differs: what was asked, and where the answers part; equal differences of several servers once. */
    public String report() {
        StringBuilder report = new StringBuilder(table());
        verdicts.forEach((one, verdict) -> {
            Map<List<String>, List<String>> servers = new LinkedHashMap<>();
            differences
                    .getOrDefault(one.id(), Map.of())
                    .forEach((server, found) -> servers.computeIfAbsent(found, list -> new ArrayList<>())
                            .add(server));
            servers.remove(List.<String>of());
            if (verdict != Verdict.SAME) {
                report.append(String.format(
                        Locale.ROOT,
                        "%n%-9s %-12s %s  %s%n",
                        verdict.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        one.section(),
                        one.id(),
                        one.describe()));
            }
            servers.forEach((found, where) -> {
                report.append("    on ").append(String.join(" and ", where)).append('\n');
                found.forEach(line -> report.append("      ").append(line).append('\n'));
            });
        });
        return report.toString();
    }
}
