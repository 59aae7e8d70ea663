package io.tidemark.platform.access.domain;

import io.tidemark.platform.access.Scope;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.tenancy.EnvironmentId;
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
    Set<Scope> scopes,
    boolean revoked) {}
