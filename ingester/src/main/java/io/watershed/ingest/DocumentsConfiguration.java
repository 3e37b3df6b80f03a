package io.watershed.ingest;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.KeyPattern;
import io.watershed.catalogue.ResourceType;
import io.watershed.config.Mapping;
import io.watershed.config.Settings;
import io.watershed.ingest.etcd.EtcdSettings;
import io.watershed.log.EtcdKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The resources that the configuration makes of prefixes of etcd. Whatever would make two resources answer to one name, or one key belong
 * to two resources, is refused, and so is a prefix of which nothing would ever be read.
 */
final class DocumentsConfiguration {
    private static final Pattern LABEL = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern GROUP =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+");
    private static final Pattern KIND = Pattern.compile("[A-Z][A-Za-z0-9]{0,62}");
    private static final int LONGEST_GROUP = 253;

    /** They mean something else where a plural stands in a URL. */
    private static final Set<String> WORDS_OF_PATHS = Set.of("watch", "namespaces");

    private final Settings settings;
    private final EtcdSettings etcd;
    private final List<ResourceType> types = new ArrayList<>();
    private final List<Mapping> read = new ArrayList<>();

    private DocumentsConfiguration(Settings settings, EtcdSettings etcd) {
        this.settings = settings;
        this.etcd = etcd;
    }

    static List<ResourceType> of(Settings settings, EtcdSettings etcd) throws Settings.Invalid {
        DocumentsConfiguration configuration = new DocumentsConfiguration(settings, etcd);
        for (Mapping item : settings.get(IngesterConfiguration.DOCUMENTS)) {
            configuration.add(item);
        }
        return List.copyOf(configuration.types);
    }

    private void add(Mapping item) throws Settings.Invalid {
        require(LABEL, item, "plural", "must be a DNS label in lower case, as flags");
        require(LABEL, item, "version", "must be a DNS label in lower case, as v1");
        require(KIND, item, "kind", "must be a word of letters and digits that begins with a capital, as Flag");
        if (WORDS_OF_PATHS.contains(item.get("plural"))) {
            throw invalid(item, "plural", "has a meaning of its own in URLs: take another word");
        }
        requireGroup(item);
        KeyPattern keys = keys(item);
        ResourceType type = ResourceType.document(
                item.get("group"), item.get("version"), item.get("kind"), item.get("plural"), keys);
        for (int i = 0; i < types.size(); i++) {
            requireApart(item, type, keys, types.get(i), read.get(i));
        }
        types.add(type);
        read.add(item);
    }

    private static void requireGroup(Mapping item) throws Settings.Invalid {
        String group = item.get("group");
        require(GROUP, item, "group", "must be a domain name in lower case with a dot in it, as flags.example.com");
        if (group.length() > LONGEST_GROUP) {
            throw invalid(item, "group", "is longer than " + LONGEST_GROUP + " characters");
        }
        String remedy = ": take a name below a domain of your own, as flags.example.com";
        if (BuiltInResources.hasGroup(group) || belongsTo(group, "k8s.io") || belongsTo(group, "kubernetes.io")) {
            throw invalid(item, "group", "is Kubernetes' own" + remedy);
        }
        if (belongsTo(group, BuiltInResources.KEY_VALUE.group())) {
            throw invalid(item, "group", "is Watershed's own" + remedy);
        }
    }

    private static boolean belongsTo(String group, String domain) {
        return group.equals(domain) || group.endsWith("." + domain);
    }

    private KeyPattern keys(Mapping item) throws Settings.Invalid {
        KeyPattern keys;
        try {
            keys = KeyPattern.parse(item.get("prefix"));
        } catch (IllegalArgumentException e) {
            throw invalid(item, "prefix", String.valueOf(e.getMessage()));
        }
        EtcdKey prefix = EtcdKey.utf8(keys.prefix());
        String root = settings.get(IngesterConfiguration.ROOT);
        if (prefix.startsWith(EtcdKey.utf8(root))) {
            throw invalid(
                    item,
                    "prefix",
                    "lies below kubernetes.root, " + root
                            + ", where keys follow Kubernetes' layout: take another prefix, or set kubernetes.root");
        }
        if (etcd.prefixes().stream().noneMatch(read -> overlap(read, prefix))) {
            throw invalid(
                    item,
                    "prefix",
                    "is outside of etcd.prefixes, " + etcd.prefixes() + ": add it there, or remove this");
        }
        for (EtcdKey excluded : etcd.exclude()) {
            if (prefix.startsWith(excluded)) {
                throw invalid(
                        item,
                        "prefix",
                        "is never read, since etcd.exclude has " + excluded + ": remove one of the two");
            }
        }
        return keys;
    }

    private static boolean overlap(EtcdKey one, EtcdKey other) {
        return one.startsWith(other) || other.startsWith(one);
    }

    private static void requireApart(
            Mapping item, ResourceType type, KeyPattern keys, ResourceType other, Mapping otherItem)
            throws Settings.Invalid {
        String otherPrefix = KeyPattern.parse(other.storagePrefix()).prefix();
        if (overlap(EtcdKey.utf8(keys.prefix()), EtcdKey.utf8(otherPrefix))) {
            throw invalid(
                    item,
                    "prefix",
                    "overlaps with \"" + otherItem.get("prefix") + "\" (" + otherItem.place()
                            + "): a key can be in one resource only; make one of them longer, or remove it");
        }
        if (type.resource().equals(other.resource())) {
            throw invalid(
                    item,
                    "plural",
                    "names " + type.resource() + " a second time (the first is at " + otherItem.place()
                            + "): take another plural or group");
        }
        if (type.group().equals(other.group()) && type.kind().equals(other.kind())) {
            throw invalid(
                    item,
                    "kind",
                    "is the kind of " + other.resource() + " already (" + otherItem.place() + "): take another kind");
        }
        if (type.group().equals(other.group()) && type.singular().equals(other.plural())) {
            throw invalid(
                    item,
                    "kind",
                    "in lower case is the plural of " + other.resource() + " (" + otherItem.place()
                            + "): take another kind");
        }
    }

    private static void require(Pattern pattern, Mapping item, String member, String problem) throws Settings.Invalid {
        if (!pattern.matcher(item.get(member)).matches()) {
            throw invalid(item, member, problem);
        }
    }

    private static Settings.Invalid invalid(Mapping item, String member, String problem) {
        return new Settings.Invalid(
                item.place() + ": documents." + member + " is \"" + item.get(member) + "\" and " + problem);
    }
}
