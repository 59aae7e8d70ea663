package io.tidemark.flink.alert.operator;

import io.tidemark.flink.model.alert.AlertGroup;
import io.tidemark.flink.model.alert.AlertStatus;
import io.tidemark.flink.model.alert.MinuteTotals;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** State of one group in maps, which counts how often it is read and written. */
final class TestingGroupStore implements GroupStore {

  final Map<Long, MinuteTotals> totals = new HashMap<>();
  final Map<Long, AlertStatus> decisions = new HashMap<>();
  @Nullable AlertGroup group;
  int reads;
  int writes;

  @Override
  public @Nullable AlertGroup group() {
    reads++;
    return group;
  }

  @Override
  public void put(AlertGroup now) {
    writes++;
    group = now;
  }

  @Override
  public @Nullable MinuteTotals totals(long place) {
    reads++;
    return totals.get(place);
  }

  @Override
  public void putTotals(long place, MinuteTotals now) {
    writes++;
    totals.put(place, now);
  }

  @Override
  public void removeTotals(long place) {
    writes++;
    totals.remove(place);
  }

  @Override
  public @Nullable AlertStatus decision(long minute) {
    reads++;
    return decisions.get(minute);
  }

  @Override
  public void putDecision(long minute, AlertStatus status) {
    writes++;
    decisions.put(minute, status);
  }

  @Override
  public void removeDecision(long minute) {
    writes++;
    decisions.remove(minute);
  }

  @Override
  public void clear() {
    group = null;
    totals.clear();
    decisions.clear();
  }
}
