package io.tidemark.platform.retention;

import io.tidemark.platform.retention.RetentionPolicy.Expired;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts rows in the metric store. */
@FunctionalInterface
public interface StoredRowCounter {

  /**
   * Rows of an environment.
   *
   * @param rows as stored; several can be of one series and window
   * @param oldest start of the earliest window; null when there are none
   */
  record Stored(long rows, @Nullable Instant oldest) {}

  /**
   * Rows that are expired by the one and not by the other.
   *
   * @throws io.tidemark.platform.shared.ProblemException {@code store_unavailable} or {@code
   *     store_failed}
   */
  Stored count(
      TenantId organization,
      EnvironmentId environment,
      Level level,
      List<Expired> expired,
      List<Expired> expiredBefore);
}
