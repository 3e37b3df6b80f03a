package io.watershed.ingest.etcd;

import java.util.List;

/**
 * What every range has passed (rule S1).
 *
 * @param revisions ascending; may be empty when only progress was made
 * @param upTo everything up to this revision is in or before these
 */
public record Released(List<RevisionEvents> revisions, long upTo) {
    public Released {
        revisions = List.copyOf(revisions);
    }
}
