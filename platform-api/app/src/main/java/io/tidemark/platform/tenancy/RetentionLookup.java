package io.tidemark.platform.tenancy;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks up how long data of environments are kept, for the control records of the pipeline. */
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
  record RetentionSettings(Seconds environment, List<OfMetrics> metrics) {}

  /**
   * What is kept now, and what was before.
   *
   * @param from receive time of batches from which on {@code now} says which points are too late
   */
  record InForce(
      RetentionSettings now,
      RetentionSettings before,
      @Nullable Instant from,
      @Nullable Instant updatedAt) {}

  /** Empty when nothing was ever said. */
  Optional<InForce> of(TenantId organization, EnvironmentId environment);
}
