package io.tidemark.platform.access.domain;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.TenantId;
import java.util.Set;

/**
 * A key as it is kept.
 *
 * @param secretHash 32 bytes, see {@link SecretHash}
 * @param revoked whether it was withdrawn; a revoked key authenticates nobody
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a whole
public record StoredKey(
    String id,
    TenantId organization,
    EnvironmentId environment,
    byte[] secretHash,
    Set<Permission> scopes,
    boolean revoked) {}
