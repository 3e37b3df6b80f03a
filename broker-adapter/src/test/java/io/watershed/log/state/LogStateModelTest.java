package io.watershed.log.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Random histories of etcd, topic, ingesters, gateways and clients, with the real {@link LogState} in each reader. A failure names its
 * seed; {@code -Dwatershed.model.seed=N -Dwatershed.model.episodes=1} repeats it, more episodes look further.
 */
class LogStateModelTest {
    private static final long SEED = Long.getLong("watershed.model.seed", 1);
    private static final int EPISODES = Integer.getInteger("watershed.model.episodes", 200);

    @Test
    void whatReadersServeIsWhatEtcdHeld() {
        Episodes episodes = new Episodes();
        for (long seed = SEED; seed < SEED + EPISODES; seed++) {
            assertThat(episodes.apply(seed))
                    .as("violated in -Dwatershed.model.seed=%d -Dwatershed.model.episodes=1", seed)
                    .isEmpty();
        }
        if (EPISODES >= 100) {
            assertThat(episodes.counts().keySet())
                    .as("kinds of things that happened")
                    .contains(
                            "410", "cuts", "images", "ready", "recreated", "relists", "restores", "resumes", "resyncs");
        }
    }
}
