package io.tidemark.flink.alert.operator;

import io.tidemark.flink.model.alert.AlertGroup;
import io.tidemark.flink.model.alert.AlertStatus;
import io.tidemark.flink.model.alert.MinuteTotals;
import org.jspecify.annotations.Nullable;

/** What is stored of one group: that of the current key. */
interface GroupStore {

  @Nullable AlertGroup group();

  void put(AlertGroup group);

  /**
   * @param place of the minute or hour and its side, as in {@link HeldGroup#place}
   */
  @Nullable MinuteTotals totals(long place);

  void putTotals(long place, MinuteTotals totals);

  void removeTotals(long place);

  @Nullable AlertStatus decision(long minute);

  void putDecision(long minute, AlertStatus status);

  void removeDecision(long minute);

  /** Removes all of it. */
  void clear();
}
