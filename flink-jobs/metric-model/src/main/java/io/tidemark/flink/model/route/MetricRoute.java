package io.tidemark.flink.model.route;

import io.tidemark.flink.model.route.RouteInterval.Why;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides the route of one metric: declared labels first, else what is measured. */
public final class MetricRoute {

  private final SplitRule rule;
  private final String organizationId;
  private final String environmentId;
  private final String metric;
  private @Nullable RouteInterval open;

  /**
   * @param open the interval that has no end yet
   */
  public MetricRoute(
      SplitRule rule,
      String organizationId,
      String environmentId,
      String metric,
      @Nullable RouteInterval open) {
    this.rule = rule;
    this.organizationId = organizationId;
    this.environmentId = environmentId;
    this.metric = metric;
    this.open = open;
  }

  public @Nullable RouteInterval open() {
    return open;
  }

  /** By declaration; changes of it always make a change of route. */
  public List<RouteInterval> declared(String[] labels, long now, long watermark) {
    boolean isSame =
        open != null && open.why() == Why.DECLARED && Arrays.equals(open.labels(), labels);
    if (isSame) {
      return List.of();
    }
    return change(labels, Why.DECLARED, 0, now, watermark);
  }

  /** Nothing is declared any more. What was measured stays. */
  public List<RouteInterval> undeclared(long now, long watermark) {
    return open != null && open.why() == Why.DECLARED ? close(now, watermark) : List.of();
  }

  /**
   * By measure, for a metric without declaration. A metric that is split keeps its labels.
   *
   * @param series active series
   * @param distinctValues of each label
   */
  public List<RouteInterval> measured(
      long series, Map<String, Long> distinctValues, long now, long watermark) {
    if (open != null || series < rule.promoteFrom()) {
      return List.of();
    }
    String[] labels = rule.labels(distinctValues);
    return labels == null ? List.of() : change(labels, Why.MEASURED, series, now, watermark);
  }

  /** After so many whole hours below the lower threshold. */
  public List<RouteInterval> quiet(int hours, long now, long watermark) {
    boolean isMeasured = open != null && open.why() == Why.MEASURED;
    return isMeasured && hours >= rule.quietHours() ? close(now, watermark) : List.of();
  }

  private List<RouteInterval> change(
      String[] labels, Why why, long series, long now, long watermark) {
    List<RouteInterval> changes = new ArrayList<>(close(now, watermark));
    open =
        new RouteInterval(
            organizationId,
            environmentId,
            metric,
            labels,
            rule.begins(now, watermark),
            RouteInterval.OPEN,
            why,
            series);
    changes.add(open);
    return changes;
  }

  private List<RouteInterval> close(long now, long watermark) {
    if (open == null) {
      return List.of();
    }
    RouteInterval closed = open.endingAt(rule.begins(now, watermark));
    open = null;
    return List.of(closed);
  }
}
