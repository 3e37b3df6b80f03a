package io.watershed.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.watershed.testkit.ChildProcess;
import io.watershed.testkit.FreePorts;
import io.watershed.testkit.TemporaryDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A real kube-apiserver on an etcd, whose one user may do everything. */
final class KubeApiserver implements AutoCloseable {
    static final String TOKEN = "admin-token";
    private static final String VARIABLE = "WATERSHED_KUBE_APISERVER";

    private final TemporaryDirectory directory = TemporaryDirectory.create("kube-apiserver");
    private final int port = FreePorts.next();
    private final ChildProcess process;

    private KubeApiserver(String binary, String etcd) {
        Path home = directory.path();
        writeKeys(home);
        this.process = ChildProcess.start(
                "kube-apiserver",
                List.of(
                        binary,
                        "--etcd-servers=" + etcd,
                        "--secure-port=" + port,
                        "--bind-address=127.0.0.1",
                        "--advertise-address=127.0.0.1",
                        "--cert-dir=" + home.resolve("pki"),
                        "--token-auth-file=" + home.resolve("tokens.csv"),
                        "--authorization-mode=RBAC",
                        "--service-account-issuer=https://kubernetes.default.svc",
                        "--service-account-key-file=" + home.resolve("sa.pub"),
                        "--service-account-signing-key-file=" + home.resolve("sa.key"),
                        "--service-cluster-ip-range=10.96.0.0/16",
                        "--endpoint-reconciler-type=none",
                        "--feature-gates=APIServerIdentity=false,UnknownVersionInteroperabilityProxy=false",
                        "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition,Priority,NodeRestriction"),
                Map.of(),
                home.resolve("output"));
    }

    /** The kube-apiserver that the environment names, if it does. */
    static Optional<String> binary() {
        return Optional.ofNullable(System.getenv(VARIABLE)).filter(path -> !path.isEmpty());
    }

    static KubeApiserver start(String binary, String etcd) {
        return new KubeApiserver(binary, etcd);
    }

    /** Waits until it answers that it is ready. */
    void awaitReady(Kubectl kubectl) {
        process.await("readiness", () -> kubectl.run("get", "--raw", "/readyz").equals("ok"));
    }

    String url() {
        return "https://127.0.0.1:" + port;
    }

    private static void writeKeys(Path home) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            KeyPair keys = generator.generateKeyPair();
            Files.writeString(
                    home.resolve("sa.key"), pem("PRIVATE KEY", keys.getPrivate().getEncoded()));
            Files.writeString(
                    home.resolve("sa.pub"), pem("PUBLIC KEY", keys.getPublic().getEncoded()));
            Files.writeString(home.resolve("tokens.csv"), TOKEN + ",admin,admin-uid,\"system:masters\"\n");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has RSA", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String pem(String what, byte[] encoded) {
        return "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(encoded) + "\n-----END " + what
                + "-----\n";
    }

    @Override
    public void close() {
        process.close();
        directory.close();
    }
}
