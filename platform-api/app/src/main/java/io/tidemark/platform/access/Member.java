package io.tidemark.platform.access;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A person in an organisation.
 *
 * @param grants what as: {@code role} or {@code role@environment}, sorted
 * @param disabledAt null for a member who is not disabled
 * @param version counts up with every change; 1 is the first
 */
public record Member(
    String personId,
    String mail,
    String displayName,
    List<String> grants,
    @Nullable Instant disabledAt,
    long version,
    Instant createdAt,
    Instant updatedAt) {

  public Member {
    grants = List.copyOf(grants);
  }

  /** Whether the member gets nothing by belonging. */
  public boolean isDisabled() {
    return disabledAt != null;
  }
}
