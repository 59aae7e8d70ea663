package io.tidemark.platform.deletion;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows of an environment that are being removed, or were.
 *
 * @param subject what people are shown; empty but for a series
 * @param settledFrom nothing that was accepted before can arrive after it
 * @param controlPlane what the control plane removed of its own, as audited
 * @param finishedAt null while it runs
 * @param certificate JSON text; null while it runs
 * @param certificateSha256 of its bytes in UTF-8, hexadecimal
 */
public record DataDeletion(
    TenantId organization,
    String id,
    EnvironmentId environment,
    Kind kind,
    Subject subject,
    List<DeletionRule> rules,
    Instant createdAt,
    Instant settledFrom,
    List<DruidDeletionStep> druid,
    List<LakeDeletionStep> lake,
    List<ControlPlaneRows> controlPlane,
    @Nullable Instant finishedAt,
    @Nullable String certificate,
    @Nullable String certificateSha256) {

  /** Why rows go. */
  public enum Kind {
    SERIES,
    ENVIRONMENT,
    RETENTION;

    /** As stored and shown. */
    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What somebody asked to delete.
   *
   * @param metric null when it was not a series
   * @param seriesId null for all of the metric
   * @param before null for all
   */
  public record Subject(
      @Nullable String metric, @Nullable String seriesId, @Nullable Instant before) {
    static final Subject NONE = new Subject(null, null, null);
  }

  /**
   * Rows of the control plane's own tables.
   *
   * @param action of the audit entry
   * @param removed numbers by what they count
   */
  public record ControlPlaneRows(String action, Map<String, Long> removed) {}

  public DataDeletion {
    rules = List.copyOf(rules);
    druid = List.copyOf(druid);
    lake = List.copyOf(lake);
    controlPlane = List.copyOf(controlPlane);
  }

  /** Settles at another time; the lake looks again. */
  DataDeletion settledFrom(Instant time) {
    return new DataDeletion(
        organization,
        id,
        environment,
        kind,
        subject,
        rules,
        createdAt,
        time,
        druid,
        lake.stream().map(LakeDeletionStep::notDone).toList(),
        controlPlane,
        finishedAt,
        certificate,
        certificateSha256);
  }

  /** Whether no store has any of the rows. */
  boolean isClear() {
    return druid.stream().allMatch(DruidDeletionStep::isDone)
        && lake.stream().allMatch(LakeDeletionStep::isDone);
  }

  List<DeletionRule> rulesOf(String datasource) {
    return rules.stream().filter(rule -> rule.isAbout(datasource)).toList();
  }
}
