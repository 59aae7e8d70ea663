package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.io.usage.HourlyUsageCollector;
import io.tidemark.flink.model.usage.TakenHour;
import io.tidemark.flink.model.usage.TakenPoints;
import io.tidemark.flink.model.usage.UsageFlushRule;
import io.tidemark.flink.testing.HourlyUsageContract;
import org.apache.flink.api.java.functions.KeySelector;

class TakenHourCollectorTest extends HourlyUsageContract<TakenPoints, TakenHour> {

  @Override
  protected HourlyUsageCollector<TakenPoints, ?, TakenHour> collector() {
    return new TakenHourCollector(UsageFlushRule.DEFAULT);
  }

  @Override
  protected KeySelector<TakenPoints, String> key() {
    return TakenPoints::key;
  }

  @Override
  protected TakenPoints units(long hour, long offset, long points) {
    return new TakenPoints("org-a", "env-a", hour, 0, offset, points);
  }

  @Override
  protected long pointsOf(TakenHour record) {
    return record.taken().points();
  }

  @Override
  protected long offsetOf(TakenHour record) {
    return record.taken().offset();
  }

  @Override
  protected String idOf(TakenHour record) {
    return record.recordId();
  }
}
