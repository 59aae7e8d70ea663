package io.tidemark.flink.model.alert;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Totals and decisions in memory. */
final class TestingAlertStore implements AlertGroupEvaluator.Store {

  private record TotalsKey(int side, long start) {}

  private final Map<TotalsKey, MinuteTotals> totals = new HashMap<>();
  private final Map<Long, AlertStatus> decisions = new HashMap<>();

  void add(int side, long start, double value) {
    totals.merge(
        new TotalsKey(side, start),
        MinuteTotals.of(value, 1, value, value, value, start),
        MinuteTotals::add);
  }

  int size() {
    return totals.size() + decisions.size();
  }

  @Override
  public @Nullable MinuteTotals totals(int side, long start) {
    return totals.get(new TotalsKey(side, start));
  }

  @Override
  public @Nullable AlertStatus decided(long minute) {
    return decisions.get(minute);
  }

  @Override
  public void decide(long minute, AlertStatus status) {
    decisions.put(minute, status);
  }

  @Override
  public void forgetDecision(long minute) {
    decisions.remove(minute);
  }

  @Override
  public void forgetTotals(int side, long start) {
    totals.remove(new TotalsKey(side, start));
  }
}
