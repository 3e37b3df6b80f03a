package io.watershed.gateway.select;

import org.jspecify.annotations.Nullable;

/**
 * What a selector can ask of an object.
 *
 * <p><em>Threads:</em> asked by any thread, at any time; implementations are immutable.
 */
public interface Selectable {
    /** The value of a label; null if the object does not have it. A label may be there with an empty value. */
    @Nullable
    String label(String key);

    /**
     * The value of a field by its {@link FieldLabels.Field#key() key}, with the field's default already applied; null counts as the
     * empty string, which is how an absent field compares.
     */
    @Nullable
    String field(String key);
}
