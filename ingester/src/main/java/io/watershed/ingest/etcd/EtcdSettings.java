package io.watershed.ingest.etcd;

import io.watershed.log.EtcdKey;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which etcd, and what of it.
 *
 * @param prefixes what is read; an empty prefix is the whole keyspace
 * @param exclude prefixes that are left out; they count as progress
 * @param user null where etcd asks for none
 */
public record EtcdSettings(
        List<URI> endpoints,
        List<EtcdKey> prefixes,
        List<EtcdKey> exclude,
        @Nullable String user,
        @Nullable String password) {
    public EtcdSettings {
        endpoints = List.copyOf(endpoints);
        prefixes = List.copyOf(prefixes);
        exclude = List.copyOf(exclude);
        if (endpoints.isEmpty() || prefixes.isEmpty()) {
            throw new IllegalArgumentException("etcd needs at least one endpoint and one prefix");
        }
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "EtcdSettings[endpoints=" + endpoints + ", prefixes=" + prefixes + ", exclude=" + exclude + ", user="
                + user + "]";
    }
}
