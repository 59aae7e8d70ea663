package io.tidemark.platform.tenancy;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers how long data of environments are kept, for what the pipeline is told of them. */
public interface RetentionLookup {

  /** By level; 0 is what nothing said means. */
  record Seconds(long raw, long minutes, long hours, long days) {}

  /** An exception; patterns are names of metrics, or beginnings followed by '*'. */
  record OfMetrics(String pattern, Seconds kept) {}

  /**
   * What is kept.
   *
   * @param metrics in order of precedence
   */
  record Kept(Seconds environment, List<OfMetrics> metrics) {}

  /**
   * What is kept now, and what was before.
   *
   * @param from receive time of batches from which on {@code now} says which points are too late
   */
  record InForce(Kept now, Kept before, @Nullable Instant from, @Nullable Instant updatedAt) {}

  /** Empty when nothing was ever said. */
  Optional<InForce> of(TenantId organization, EnvironmentId environment);
}
