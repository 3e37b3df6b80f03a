package io.watershed.gateway.http;

import io.watershed.gateway.api.Extension;
import io.watershed.gateway.fanout.FanoutSettings;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the operator decides about the server.
 *
 * @param host address to listen on
 * @param port 0 takes a free one
 * @param loopback whether nobody but this machine reaches the address
 * @param tls null for none
 * @param allowedOrigins web pages of which other origins may ask, {@code scheme://host[:port]} each
 * @param extensions what is answered beyond Kubernetes
 * @param undecodable what becomes of objects whose value could not be decoded
 */
public record ServerSettings(
        String host,
        int port,
        boolean loopback,
        @Nullable TlsSettings tls,
        Set<String> allowedOrigins,
        Set<Extension> extensions,
        FanoutSettings.Undecodable undecodable) {
    public ServerSettings {
        allowedOrigins = Set.copyOf(allowedOrigins);
        extensions = Set.copyOf(extensions);
    }
}
