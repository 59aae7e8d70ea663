package io.tidemark.flink.alert.match;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.model.alert.MinuteTotals;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A group of a selection, and what rows added to its minutes since it was emptied. */
final class MatchedGroup {

  private final byte[] labels;
  private long minute;
  private @Nullable MinuteTotals totals;
  private @Nullable TreeMap<Long, MinuteTotals> others;

  MatchedGroup(String labels) {
    this.labels = labels.getBytes(UTF_8);
  }

  /** In UTF-8. */
  byte[] labels() {
    return labels;
  }

  boolean isEmpty() {
    return totals == null;
  }

  /** Adds a row; true when it is the first of its minute. */
  boolean add(long start, MinuteTotals row) {
    if (totals == null) {
      minute = start;
      totals = row;
      return true;
    }
    if (minute == start) {
      totals = MinuteTotals.add(totals, row);
      return false;
    }
    if (others == null) {
      others = new TreeMap<>();
    }
    int before = others.size();
    others.merge(start, row, MinuteTotals::add);
    return others.size() > before;
  }

  /** What was added to a minute; null for nothing. */
  @Nullable MinuteTotals totals(long start) {
    if (start == minute) {
      return totals;
    }
    return others == null ? null : others.get(start);
  }

  /** Names the minutes that something was added to. */
  void minutes(LongConsumer each) {
    each.accept(minute);
    if (others != null) {
      others.keySet().forEach(each::accept);
    }
  }

  /** Whether all that was added is of one minute. */
  boolean isOf(long start) {
    return minute == start && others == null;
  }

  long minute() {
    return minute;
  }

  void empty() {
    totals = null;
    others = null;
  }
}
