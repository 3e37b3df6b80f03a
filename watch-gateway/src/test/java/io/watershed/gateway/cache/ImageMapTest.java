package io.watershed.gateway.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.log.EtcdKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ImageMapTest {
    private static final int SEEDS = 40;

    private record Snapshot(ImageMap<String> map, NavigableMap<EtcdKey, String> model) {}

    @Test
    void isATreeMapWhoseSnapshotsStayAsTheyWere() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Random random = new Random(seed);
            int keys = 1 + random.nextInt(seed % 3 == 0 ? 20_000 : 400);
            ImageMap.Editor<String> editor = ImageMap.<String>empty().edit();
            TreeMap<EtcdKey, String> model = new TreeMap<>();
            List<Snapshot> snapshots = new ArrayList<>();
            for (int batch = 0; batch < 40; batch++) {
                // Now growing, now shrinking, down to nothing.
                double puts = random.nextInt(4) == 0 ? 0.1 : 0.7;
                change(editor, model, random, keys, puts);
                snapshots.add(new Snapshot(editor.freeze(), new TreeMap<>(model)));
            }
            for (Snapshot snapshot : snapshots) {
                check(snapshot, random, keys, seed);
            }
            ImageMap.Editor<String> branch = snapshots.get(20).map().edit();
            TreeMap<EtcdKey, String> branched = new TreeMap<>(snapshots.get(20).model());
            change(branch, branched, random, keys, 0.5);
            check(new Snapshot(branch.freeze(), branched), random, keys, seed);
            check(snapshots.get(20), random, keys, seed);
        }
    }

    private static void change(
            ImageMap.Editor<String> editor, NavigableMap<EtcdKey, String> model, Random random, int keys, double puts) {
        for (int i = random.nextInt(300); i > 0; i--) {
            EtcdKey key = key(random, keys);
            if (random.nextDouble() < puts) {
                String value = Integer.toString(random.nextInt());
                editor.put(key, value);
                model.put(key, value);
            } else {
                editor.remove(key);
                model.remove(key);
            }
            assertThat(editor.size()).isEqualTo(model.size());
        }
    }

    /** One to three bytes of any value, so that order by unsigned bytes counts, and keys that begin another. */
    private static EtcdKey key(Random random, int keys) {
        int number = random.nextInt(keys);
        byte[] bytes = {(byte) (number * 37), (byte) (number >> 8), (byte) number};
        return EtcdKey.of(Arrays.copyOf(bytes, 1 + number % 3));
    }

    private static void check(Snapshot snapshot, Random random, int keys, long seed) {
        ImageMap<String> map = snapshot.map();
        NavigableMap<EtcdKey, String> model = snapshot.model();
        assertThat(map.size()).as("seed " + seed).isEqualTo(model.size());
        assertThat(walk(map, null)).as("seed " + seed).isEqualTo(new ArrayList<>(model.values()));
        for (int i = 0; i < 5; i++) {
            EtcdKey key = key(random, keys);
            assertThat(map.get(key)).as("seed " + seed + " key " + key).isEqualTo(model.get(key));
            assertThat(walk(map, key))
                    .as("seed " + seed + " from " + key)
                    .isEqualTo(new ArrayList<>(model.tailMap(key, true).values()));
        }
    }

    private static List<String> walk(ImageMap<String> map, @Nullable EtcdKey start) {
        List<String> walked = new ArrayList<>();
        map.from(start).forEachRemaining(walked::add);
        return walked;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 65, 128, 4096, 4097, 100_000})
    void takesAListInOrderAndGivesItBack(int size) {
        ImageMap.Editor<String> editor = ImageMap.<String>empty().edit();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            String name = String.format("%08d", i);
            expected.add(name);
            editor.put(EtcdKey.utf8(name), name);
        }
        ImageMap<String> map = editor.freeze();
        assertThat(map.size()).isEqualTo(size);
        assertThat(walk(map, null)).isEqualTo(expected);
        for (int i = 0; i < size; i++) {
            editor.remove(EtcdKey.utf8(String.format("%08d", i)));
        }
        assertThat(walk(editor.freeze(), null)).isEmpty();
        assertThat(walk(map, null)).hasSize(size);
    }

    @Test
    void changesOfOneEditorAreNotSeenByAnother() {
        ImageMap.Editor<String> first = ImageMap.<String>empty().edit();
        first.put(EtcdKey.utf8("a"), "1");
        ImageMap<String> map = first.freeze();
        ImageMap.Editor<String> second = map.edit();
        second.put(EtcdKey.utf8("a"), "2");
        first.put(EtcdKey.utf8("b"), "3");
        assertThat(walk(map, null)).containsExactly("1");
        assertThat(walk(second.freeze(), null)).containsExactly("2");
        assertThat(walk(first.freeze(), null)).containsExactly("1", "3");
    }
}
