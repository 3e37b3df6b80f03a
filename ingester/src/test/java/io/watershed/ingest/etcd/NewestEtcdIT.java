package io.watershed.ingest.etcd;

import io.watershed.testkit.EtcdProcess;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** An etcd 3.7, where the environment names one: several ranges, and progress when asked for. */
@EnabledIfEnvironmentVariable(named = "WATERSHED_ETCD37", matches = ".+")
class NewestEtcdIT extends EtcdSourceContract {
    NewestEtcdIT() {
        super(EtcdProcess.newestBinary().orElse("etcd"));
    }
}
