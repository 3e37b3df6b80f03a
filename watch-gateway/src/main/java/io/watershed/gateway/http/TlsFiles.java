package io.watershed.gateway.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks at a certificate and its key before the server starts: what is wrong with them would else show to clients only. */
public final class TlsFiles {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    /** Something is wrong with one of the files. The message is a predicate: {@code names a file that can't be read}. */
    public static final class Unusable extends Exception {
        private static final long serialVersionUID = 1;

        private final boolean ofKey;

        private Unusable(boolean ofKey, String problem) {
            super(problem);
            this.ofKey = ofKey;
        }

        private Unusable(boolean ofKey, String problem, Throwable cause) {
            super(problem, cause);
            this.ofKey = ofKey;
        }

        /** Whether it is the key's file, and not the certificate's. */
        public boolean isOfKey() {
            return ofKey;
        }

        /** What is wrong. */
        public String problem() {
            return String.valueOf(getMessage());
        }
    }

    private TlsFiles() {}

    /** Reads both. */
    public static void check(TlsSettings settings) throws Unusable {
        X509Certificate certificate = certificate(read(settings.certificate(), false));
        PrivateKey key = key(read(settings.key(), true), certificate.getPublicKey());
        if (!belong(key, certificate.getPublicKey())) {
            throw new Unusable(true, "names a key that is not its certificate's");
        }
    }

    private static String read(String path, boolean key) throws Unusable {
        try {
            return Files.readString(Path.of(path), StandardCharsets.ISO_8859_1);
        } catch (IOException | RuntimeException e) {
            throw new Unusable(key, "names a file that can't be read (" + e + ")", e);
        }
    }

    private static X509Certificate certificate(String pem) throws Unusable {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.ISO_8859_1)));
        } catch (CertificateException e) {
            throw new Unusable(false, "must name a PEM file with a certificate (" + e.getMessage() + ")", e);
        }
    }

    private static PrivateKey key(String pem, PublicKey of) throws Unusable {
        Matcher found = KEY.matcher(pem);
        if (!found.find()) {
            throw new Unusable(
                    true,
                    "must name a PEM file with a PKCS#8 key, which begins with BEGIN PRIVATE KEY;"
                            + " `openssl pkcs8 -topk8 -nodes -in KEY` makes one of other keys");
        }
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(found.group(1));
            return KeyFactory.getInstance(of.getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            // Without what the parser says: it may quote the key.
            throw new Unusable(true, "names a key that can't be read, or is of another kind than its certificate's");
        }
    }

    private static boolean belong(PrivateKey key, PublicKey certified) throws Unusable {
        byte[] text = {1, 2, 3};
        String algorithm = certified.getAlgorithm();
        try {
            Signature signature = Signature.getInstance(
                    algorithm.equals("RSA") || algorithm.equals("EC")
                            ? "SHA256with" + (algorithm.equals("EC") ? "ECDSA" : "RSA")
                            : algorithm);
            signature.initSign(key);
            signature.update(text);
            byte[] signed = signature.sign();
            signature.initVerify(certified);
            signature.update(text);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            throw new Unusable(true, "names a key that can't sign (" + e.getMessage() + ")", e);
        }
    }
}
