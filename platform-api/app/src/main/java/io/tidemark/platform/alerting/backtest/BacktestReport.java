package io.tidemark.platform.alerting.backtest;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a rule would have told.
 *
 * @param from start of the first decided minute
 * @param until end of the last one
 * @param firstRow start of the earliest minute with rows; null when there were none
 * @param decided minutes, of all groups together
 * @param groups those with the most incidents
 * @param incidents the first ones
 * @param revised number of incidents whose minutes late rows changed
 */
public record BacktestReport(
    Instant from,
    Instant until,
    @Nullable Instant firstRow,
    int stepMinutes,
    long decided,
    int groupsTotal,
    List<Group> groups,
    int incidentsTotal,
    int revised,
    List<Incident> incidents) {

  /**
   * One group.
   *
   * @param points one a step, those before its first decision left out
   */
  public record Group(
      Map<String, String> labels,
      int incidents,
      long firingMinutes,
      long noDataMinutes,
      List<Point> points) {}

  /**
   * What was decided in one step.
   *
   * @param value null without one
   * @param state in the words of the control API
   */
  public record Point(Instant at, @Nullable Double value, String state) {}

  /**
   * An incident that would have been.
   *
   * @param end null while it would be open
   * @param value null without one
   */
  public record Incident(
      Map<String, String> labels,
      Instant start,
      @Nullable Instant end,
      @Nullable Double value,
      boolean revised) {}
}
