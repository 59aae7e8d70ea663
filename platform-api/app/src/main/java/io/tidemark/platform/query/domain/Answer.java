package io.tidemark.platform.query.domain;

import io.tidemark.platform.metricstore.Distribution;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.OpenMinutesState;
import io.tidemark.platform.metricstore.ScanSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a query.
 *
 * @param groups in the order of the answer
 * @param nextPage token of the next page
 * @param unknownMetrics of the query; only looked for where there are no groups
 * @param unknownLabels that should make groups; only looked for where no group has them
 */
public record Answer(
    MetricQuery query,
    List<Group> groups,
    Optional<String> nextPage,
    Completeness completeness,
    List<Truncation> truncated,
    List<UnknownName> unknownMetrics,
    List<UnknownName> unknownLabels,
    Optional<Explanation> explanation) {

  /**
   * Values of one combination of labels.
   *
   * @param labels one per group_by label, null where absent
   * @param points ascending in time
   */
  public record Group(List<@Nullable String> labels, List<Point> points) {
    public Group {
      labels = Collections.unmodifiableList(new ArrayList<>(labels));
      points = List.copyOf(points);
    }
  }

  /**
   * Values of one bucket.
   *
   * @param values one per aggregation; NaN where there is none
   * @param state null when it was not asked for
   * @param distribution null when it was not asked for or there is none
   */
  public record Point(
      Instant bucket,
      List<Double> values,
      @Nullable BucketState state,
      @Nullable Distribution distribution) {}

  /**
   * How far the answer is complete.
   *
   * @param openMinutes how minutes that are not complete are answered; empty when all are
   * @param readUntil points acknowledged before this time were read before the answer was made,
   *     whatever time they are of; empty while not known
   * @param isBehind whether points acknowledged for longer may not have been
   */
  public record Completeness(
      Optional<Instant> watermark,
      Optional<Instant> completeUntil,
      BucketState state,
      long lateRevisions,
      Optional<OpenMinutesState> openMinutes,
      Optional<Instant> readUntil,
      boolean isBehind) {}

  /** A name that nothing was sent under, with the nearest of those that there are. */
  public record UnknownName(String name, List<String> nearest) {
    public UnknownName {
      nearest = List.copyOf(nearest);
    }
  }

  /** Something that is missing in the answer. */
  public record Truncation(String what, String detail) {}

  /** How the answer was made. */
  public record Explanation(Lane lane, long estimatedRows, List<ExplainedPart> parts) {}

  /**
   * What was read.
   *
   * @param pieces segments of Druid, or files of the lake
   * @param estimatedRows about how many stored rows
   */
  public record ExplainedPart(String metric, ScanSpec part, int pieces, long estimatedRows) {}
}
