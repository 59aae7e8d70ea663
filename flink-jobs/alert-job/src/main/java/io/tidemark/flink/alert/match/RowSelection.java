package io.tidemark.flink.alert.match;

import io.tidemark.flink.model.alert.GroupLabels;
import io.tidemark.flink.model.alert.LabelMatcher;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.SignalHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Rows of a metric that rules look at in the same way, and those rules. A row is matched and added
 * up once for all of them.
 */
public final class RowSelection {

  /** What makes rules look at rows in the same way. */
  record Look(
      String metric, List<LabelMatcher> matchers, boolean perSeries, List<String> groupBy) {}

  /**
   * A rule that looks.
   *
   * @param hasHours whether totals of whole hours are kept too
   * @param from start of the first minute that it wants
   */
  record Subscription(String rule, String signal, int side, boolean hasHours, long from) {}

  private static final long HOUR_MS = Duration.ofHours(1).toMillis();

  private final Look look;
  private final RowMatchers matchers;
  private final List<Subscription> subscriptions = new ArrayList<>();

  /**
   * @throws IllegalArgumentException when an expression is none of RE2
   */
  RowSelection(Look look) {
    this.look = look;
    this.matchers = new RowMatchers(look.matchers());
  }

  Look look() {
    return look;
  }

  void subscribe(Subscription subscription) {
    subscriptions.add(subscription);
  }

  void unsubscribe(String rule) {
    subscriptions.removeIf(subscription -> subscription.rule().equals(rule));
  }

  boolean isEmpty() {
    return subscriptions.isEmpty();
  }

  boolean fits(Map<String, String> labels) {
    return matchers.fit(labels);
  }

  /** The group of a row. */
  String groupOf(Map<String, String> labels) {
    return look.perSeries()
        ? GroupLabels.of(List.copyOf(labels.keySet()), labels)
        : GroupLabels.of(look.groupBy(), labels);
  }

  /** Gives each rule what rows of a minute add to a group. */
  void add(String labels, long minute, MinuteTotals totals, RuleIndex.Additions additions) {
    for (Subscription one : subscriptions) {
      if (minute >= one.from()) {
        additions.add(one.rule(), one.signal(), labels, one.side(), minute, totals);
        if (one.hasHours()) {
          long hour = Math.floorDiv(minute, HOUR_MS) * HOUR_MS;
          additions.add(one.rule(), one.signal(), labels, SignalHistory.HOURS, hour, totals);
        }
      }
    }
  }
}
