package io.tidemark.flink.usage.operator;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.flink.io.usage.HourlyUsageCollector;
import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.UsageFlushRule;
import io.tidemark.flink.model.usage.UsageHour;
import io.tidemark.flink.model.usage.UsageOrigin;
import io.tidemark.flink.model.usage.UsageSubject;
import io.tidemark.flink.testing.HourlyUsageContract;
import java.util.List;
import org.apache.flink.api.java.functions.KeySelector;
import org.junit.jupiter.api.Test;

class UsageHourCollectorTest extends HourlyUsageContract<UsageIncrement, MeteredUsage> {

  @Override
  protected HourlyUsageCollector<UsageIncrement, ?, MeteredUsage> collector() {
    return new UsageHourCollector(UsageFlushRule.DEFAULT);
  }

  @Override
  protected KeySelector<UsageIncrement, String> key() {
    return UsageIncrement::key;
  }

  @Override
  protected UsageIncrement units(long hour, long offset, long points) {
    return UsageIncrement.of(
        new UsageHour(new UsageSubject("org-a", "env-a", "service", "shop", "cpu"), hour),
        new UsageIncrement.Place(UsageOrigin.POINTS, "increments", 0, offset, 0),
        new MeteredUnits(points, 100, 0, 0));
  }

  @Override
  protected long pointsOf(MeteredUsage record) {
    return record.increment().points();
  }

  @Override
  protected long offsetOf(MeteredUsage record) {
    return record.increment().offset();
  }

  @Override
  protected String idOf(MeteredUsage record) {
    return record.recordId();
  }

  @Test
  void theFirstRecordComesWithinSecondsAndANewSenderWaitsForNobody() throws Exception {
    add("12:00:00", 1, 5);
    hours.setProcessingTime(at("12:00:10"));

    assertEquals(List.of(5L), points());
    MeteredUsage record = hours.extractOutputValues().get(0);
    assertEquals(at("12:00:10"), record.meteredAtUnixMs());
    assertEquals(1, record.increment().offset());
  }
}
