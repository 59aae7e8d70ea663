package io.tidemark.platform.access;

import java.time.Instant;
import java.util.List;

/**
 * A person in an organisation.
 *
 * @param grants what as: {@code role} or {@code role@environment}, sorted
 * @param version counts up with every change; 1 is the first
 */
public record Member(
    String personId,
    String mail,
    String displayName,
    List<String> grants,
    long version,
    Instant createdAt,
    Instant updatedAt) {

  public Member {
    grants = List.copyOf(grants);
  }
}
