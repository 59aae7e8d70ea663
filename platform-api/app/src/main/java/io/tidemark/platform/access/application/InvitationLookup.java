package io.tidemark.platform.access.application;

import io.tidemark.platform.shared.TenantId;
import java.util.Optional;

/** Finds, over all organisations, what the token of a link is for. */
@FunctionalInterface
public interface InvitationLookup {

  /** Where an invitation is. */
  record InvitationRef(TenantId organization, String id) {}

  /** Also when the invitation is not open any more. */
  Optional<InvitationRef> find(byte[] tokenHash);
}
