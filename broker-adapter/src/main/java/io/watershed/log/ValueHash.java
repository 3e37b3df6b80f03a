package io.watershed.log;

import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;

/** XXH64 with seed 0 over etcd's raw value: the {@code h=} of the header (docs/log.md). */
public final class ValueHash {
    private static final XXHash64 XXH64 = XXHashFactory.fastestJavaInstance().hash64();

    private ValueHash() {}

    public static long of(byte[] value) {
        return XXH64.hash(value, 0, value.length, 0);
    }
}
