package io.tidemark.flink.alert.match;

import io.tidemark.flink.model.alert.MinuteTotals;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A group of a selection, and what rows added to its minutes since it was emptied. */
final class MatchedGroup {

  private final RowSelection selection;
  private final String labels;
  private long minute;
  private @Nullable MinuteTotals totals;
  private @Nullable TreeMap<Long, MinuteTotals> others;

  MatchedGroup(RowSelection selection, String labels) {
    this.selection = selection;
    this.labels = labels;
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

  /**
   * Gives what was added to the rules, and is empty. Earlier minutes come first: a group begins
   * with the first minute that is heard of it.
   */
  void handOn(RuleIndex.Additions additions) {
    if (others != null && totals != null) {
      others.put(minute, totals);
      others.forEach((start, sum) -> selection.add(labels, start, sum, additions));
    } else if (totals != null) {
      selection.add(labels, minute, totals, additions);
    }
    totals = null;
    others = null;
  }
}
