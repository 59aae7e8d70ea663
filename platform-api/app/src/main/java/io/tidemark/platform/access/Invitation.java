package io.tidemark.platform.access;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An offer to join an organisation, bound to a mail address.
 *
 * @param grants what as: {@code role} or {@code role@environment}, sorted
 * @param acceptedBy the person who joined with it; null for none
 */
public record Invitation(
    String id,
    String mail,
    List<String> grants,
    @Nullable String invitedBy,
    Instant createdAt,
    Instant expiresAt,
    @Nullable Instant acceptedAt,
    @Nullable String acceptedBy,
    @Nullable Instant revokedAt) {

  public Invitation {
    grants = List.copyOf(grants);
  }

  /** Whether somebody can join with it at the given time. */
  public boolean isOpen(Instant now) {
    return acceptedAt == null && revokedAt == null && now.isBefore(expiresAt);
  }
}
