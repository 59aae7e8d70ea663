package io.tidemark.platform.deletion;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rows of an environment that are being removed, or were.
 *
 * @param subject what people are shown; empty but for a series
 * @param settledFrom nothing that was accepted before can arrive after it
 * @param settledEverywhereFrom the same for every region: what the lakes are told
 * @param controlPlane what the control plane removed of its own, as audited
 * @param finishedAt null while it runs
 * @param certificate JSON text; null while it runs
 * @param certificateSha256 of its bytes in UTF-8, hexadecimal
 * @param regions second regions that it has to reach, or has reached
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
    Instant settledEverywhereFrom,
    List<DruidDeletionStep> druid,
    List<LakeDeletionStep> lake,
    List<ControlPlaneRows> controlPlane,
    @Nullable Instant finishedAt,
    @Nullable String certificate,
    @Nullable String certificateSha256,
    List<RegionSteps> regions) {

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
    regions = List.copyOf(regions);
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
        time.isAfter(settledEverywhereFrom) ? time : settledEverywhereFrom,
        druid,
        lake.stream().map(LakeDeletionStep::notDone).toList(),
        controlPlane,
        finishedAt,
        certificate,
        certificateSha256,
        regions);
  }

  /**
   * The rules, of a metric only for what is before the day in which it settled: once the first
   * region has none of it left, the metric may be sent again while others still remove it.
   */
  List<DeletionRule> boundedRules() {
    Instant day = settledFrom.truncatedTo(ChronoUnit.DAYS);
    return kind == Kind.SERIES ? rules.stream().map(rule -> rule.before(day)).toList() : rules;
  }

  /** The same in the stores of a second region, which has begun. */
  DataDeletion in(RegionSteps region) {
    return new DataDeletion(
        organization,
        id,
        environment,
        kind,
        subject,
        isClear() ? boundedRules() : rules,
        createdAt,
        Objects.requireNonNull(region.settledFrom()),
        settledEverywhereFrom,
        region.druid(),
        region.lake(),
        List.of(),
        region.doneAt(),
        null,
        null,
        List.of());
  }

  /** Whether no store of this region has any of the rows. */
  boolean isClear() {
    return druid.stream().allMatch(DruidDeletionStep::isDone)
        && lake.stream().allMatch(LakeDeletionStep::isDone);
  }

  /**
   * Whether it may be certified as far as second regions go. What has expired does not wait for
   * one: the next run would wait with it, and finds what is left.
   */
  boolean needsNoRegion() {
    return kind == Kind.RETENTION || regions.stream().allMatch(RegionSteps::isDone);
  }

  /** Whether nothing of a metric is to be left. */
  boolean isOfWholeMetric() {
    return kind == Kind.SERIES && subject.seriesId() == null && subject.before() == null;
  }

  List<DeletionRule> rulesOf(String datasource) {
    return rules.stream().filter(rule -> rule.isAbout(datasource)).toList();
  }
}
