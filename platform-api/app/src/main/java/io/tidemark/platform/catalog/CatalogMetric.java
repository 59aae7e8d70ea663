package io.tidemark.platform.catalog;

import io.tidemark.platform.shared.EnvironmentId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A metric of an environment.
 *
 * @param declared null when nothing is declared
 * @param version of the declaration; 0 when nothing is declared
 * @param declaredAt null when nothing is declared
 * @param discovered null when it was never sent
 * @param sentDescription what senders say of it; empty for nothing
 */
public record CatalogMetric(
    EnvironmentId environment,
    String name,
    @Nullable MetricDeclaration declared,
    long version,
    @Nullable Instant declaredAt,
    @Nullable MetricSighting discovered,
    String sentDescription) {

  /** As declared, else as sent; null when neither. */
  public @Nullable MetricType type() {
    if (declared != null && declared.type() != null) {
      return declared.type();
    }
    return discovered == null ? null : discovered.type();
  }

  /** As declared, else as sent; null when neither. */
  public @Nullable String unit() {
    if (declared != null && !declared.unit().isEmpty()) {
      return declared.unit();
    }
    return discovered == null ? null : discovered.unit();
  }

  /** As declared, else as sent; empty when neither. */
  public String description() {
    return declared == null || declared.description().isEmpty()
        ? sentDescription
        : declared.description();
  }

  /** Active when nothing else was said. */
  public MetricLifecycle lifecycle() {
    return declared == null ? MetricLifecycle.ACTIVE : declared.lifecycle();
  }
}
