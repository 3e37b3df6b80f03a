package io.watershed.log;

/** Why a record's value is not the full object: the {@code enc=} of the header (docs/log.md). */
public enum Encoding {
    /** Not decodable: damaged, or in a form this codec does not know. The value carries the bytes in base64. */
    RAW,
    /** Decoded but for fields that the codec's table does not know. */
    PARTIAL,
    /** Stored in a version of its resource that can't be converted to the canonical one. */
    VERSION,
    /** Larger than a record may be: the value carries only the size. */
    OVERSIZE,
    /** Encrypted by kube-apiserver ({@code k8s:enc:}). The value carries the bytes in base64. */
    ENCRYPTED;

    /** As it stands in the header. */
    public String header() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
