package io.tidemark.platform.access.application;

import io.tidemark.platform.access.Invitation;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Where invitations are kept, with the hashes of their tokens. */
public interface InvitationRepository {

  /** By identifier, after the given one. */
  List<Invitation> list(TenantId organization, String after, int most);

  Optional<Invitation> find(TenantId organization, String id);

  /** Kept from other changes until the transaction ends. */
  Optional<Invitation> lock(TenantId organization, String id);

  void add(TenantId organization, Invitation invitation, byte[] tokenHash);

  void renew(TenantId organization, String id, byte[] tokenHash, Instant expiresAt);

  void revoke(TenantId organization, String id, Instant now);

  void accept(TenantId organization, String id, String person, Instant now);

  /** The link with that token went by mail. */
  void mailed(TenantId organization, String id, byte[] tokenHash, Instant now);

  /** Whether the present link went by mail. */
  boolean isMailed(TenantId organization, String id);

  /** Number of those that can still be accepted. */
  int open(TenantId organization, Instant now);

  /** Whether the token belongs to that invitation. */
  boolean hasToken(TenantId organization, String id, byte[] tokenHash);
}
