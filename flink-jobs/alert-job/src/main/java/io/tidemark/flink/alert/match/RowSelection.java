package io.tidemark.flink.alert.match;

import io.tidemark.flink.model.alert.GroupLabels;
import io.tidemark.flink.model.alert.LabelMatcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Rows of a metric that signals look at in the same way, and those signals. A row is matched and
 * added up once for all of them, whatever rules there are.
 */
public final class RowSelection {

  /** What makes signals look at rows in the same way. */
  record Look(
      String metric, List<LabelMatcher> matchers, boolean perSeries, List<String> groupBy) {}

  /**
   * A rule that looks.
   *
   * @param from start of the first minute that it wants
   */
  record Subscription(String rule, SignalSide signal, long from) {}

  private final Look look;
  private final RowMatchers matchers;
  private final List<Subscription> subscriptions = new ArrayList<>();

  /** The first minute that a rule wants, by signal. */
  private final Map<SignalSide, Long> wantedFrom = new LinkedHashMap<>();

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
    wantedFrom.merge(subscription.signal(), subscription.from(), Math::min);
  }

  void unsubscribe(String rule) {
    if (subscriptions.removeIf(subscription -> subscription.rule().equals(rule))) {
      Map<SignalSide, Long> left = new HashMap<>();
      subscriptions.forEach(one -> left.merge(one.signal(), one.from(), Math::min));
      wantedFrom.keySet().retainAll(left.keySet());
      wantedFrom.replaceAll((signal, from) -> left.getOrDefault(signal, from));
    }
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

  /** The signals that rows of a minute are for. */
  void wanting(long minute, Consumer<SignalSide> each) {
    wantedFrom.forEach(
        (signal, from) -> {
          if (minute >= from) {
            each.accept(signal);
          }
        });
  }
}
