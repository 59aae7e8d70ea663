package io.tidemark.platform.access.domain;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A key as it is kept.
 *
 * @param secretHash 32 bytes, see {@link SecretHash}
 * @param scopes what it may do; of a service account's key, within the account's role
 * @param revoked whether it, its service account or its environment was withdrawn; such a key
 *     authenticates nobody
 * @param expiresAt when it stops authenticating; null for never
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a whole
public record StoredKey(
    String id,
    TenantId organization,
    EnvironmentId environment,
    byte[] secretHash,
    Set<Permission> scopes,
    boolean revoked,
    @Nullable Instant expiresAt) {}
