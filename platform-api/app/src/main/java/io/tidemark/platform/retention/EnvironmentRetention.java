package io.tidemark.platform.retention;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The policy of an environment and the one before.
 *
 * @param policy in force for what is shown and removed
 * @param version counts up with every change; 0 when none was ever set
 * @param updatedAt null when none was ever set
 * @param before for batches received before {@code from}
 * @param from receive time of batches from which on the policy says which points are too late; null
 *     when none was ever set
 */
public record EnvironmentRetention(
    RetentionPolicy policy,
    long version,
    @Nullable Instant updatedAt,
    RetentionPolicy before,
    @Nullable Instant from) {

  static final EnvironmentRetention NONE =
      new EnvironmentRetention(RetentionPolicy.UNLIMITED, 0, null, RetentionPolicy.UNLIMITED, null);
}
