package io.watershed.log;

/**
 * Which write of a key this is. All revisions are etcd's.
 *
 * @param createRevision create_revision; of a delete, that of the object deleted; 0 when not known (tombstones of a relist)
 * @param modRevision mod_revision; of a delete, the delete's own revision
 * @param version etcd's version; of a delete, that of the object deleted plus one; 0 when not known
 * @param lease the lease's id, or 0
 * @param valueHash {@link ValueHash} of etcd's raw value; 0 on deletes
 */
public record KeyVersion(long createRevision, long modRevision, long version, long lease, long valueHash) {}
