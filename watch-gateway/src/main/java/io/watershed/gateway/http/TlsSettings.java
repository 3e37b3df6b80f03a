package io.watershed.gateway.http;

import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The server's certificate and key.
 *
 * @param certificate path of a PEM file: the server's certificate, then those that lead to its issuer
 * @param key path of a PEM file: the private key, PKCS#8, without a password
 */
public record TlsSettings(String certificate, String key) {
    /** With forward secrecy and authenticated encryption only; those of TLS 1.3 first. */
    private static final List<String> CIPHERS = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    void applyTo(HttpServerOptions options) {
        options.setSsl(true)
                .setUseAlpn(true)
                .setKeyCertOptions(
                        new PemKeyCertOptions().setCertPath(certificate).setKeyPath(key));
        options.setEnabledSecureTransportProtocols(new LinkedHashSet<>(List.of("TLSv1.3", "TLSv1.2")));
        CIPHERS.forEach(options::addEnabledCipherSuite);
    }
}
