package io.tidemark.platform.deletion;

import io.tidemark.platform.retention.Level;
import io.tidemark.platform.retention.RetentionPolicy.Expired;
import io.tidemark.platform.retention.RetentionPolicy.OfMetrics;
import io.tidemark.platform.retention.RowFilters;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows that go: those that all parts fit.
 *
 * @param level null for all
 * @param pattern name of a metric, or the beginning of names and '*'; null for all
 * @param others patterns of metrics that stay
 * @param seriesId null for all
 * @param before windows that begin before; null without a limit
 */
public record DeletionRule(
    @Nullable Level level,
    @Nullable String pattern,
    List<String> others,
    @Nullable String seriesId,
    @Nullable Instant before) {

  public DeletionRule {
    others = List.copyOf(others);
  }

  /** Every row. */
  static DeletionRule everything() {
    return new DeletionRule(null, null, List.of(), null, null);
  }

  static DeletionRule of(Level level, Expired expired) {
    return new DeletionRule(
        level,
        expired.pattern() == null ? null : expired.pattern().pattern(),
        expired.others().stream().map(OfMetrics::pattern).toList(),
        null,
        expired.before());
  }

  /** The same, of windows that begin before a time at the latest. */
  DeletionRule before(Instant time) {
    boolean isBounded = before != null && before.isBefore(time);
    return isBounded ? this : new DeletionRule(level, pattern, others, seriesId, time);
  }

  /** Whether it is about rows of a datasource, whose name begins with that of its level. */
  boolean isAbout(String datasource) {
    return level == null
        || datasource.equals(level.wireName())
        || datasource.startsWith(level.wireName() + "_");
  }

  /**
   * A filter of Druid's native queries for the rows that go. There is at least one rule: without
   * any, nothing may be removed.
   */
  public static Map<String, Object> filter(
      TenantId organization, EnvironmentId environment, List<DeletionRule> rules) {
    if (rules.isEmpty()) {
      throw new IllegalArgumentException("A removal without rules removes nothing");
    }
    return RowFilters.and(
        List.of(
            RowFilters.equal("organization_id", organization.value()),
            RowFilters.equal("environment_id", environment.value()),
            RowFilters.or(rules.stream().map(DeletionRule::filter).toList())));
  }

  private Map<String, Object> filter() {
    List<Map<String, Object>> fields = new ArrayList<>();
    // A filter needs a part, also when every row goes.
    fields.add(Map.of("type", "true"));
    if (pattern != null) {
      fields.add(RowFilters.fits(pattern));
    }
    others.forEach(other -> fields.add(RowFilters.not(RowFilters.fits(other))));
    if (seriesId != null) {
      fields.add(RowFilters.equal("series_id", seriesId));
    }
    if (before != null) {
      fields.add(RowFilters.before(before));
    }
    return RowFilters.and(fields);
  }
}
