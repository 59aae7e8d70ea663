package io.tidemark.flink.usage.operator;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.UsageFlushRule;
import io.tidemark.flink.model.usage.UsageHour;
import io.tidemark.flink.model.usage.UsageSubject;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UsageHourCollectorTest {

  private KeyedOneInputStreamOperatorTestHarness<String, UsageIncrement, MeteredUsage> hours;

  @BeforeEach
  void open() throws Exception {
    hours = harness();
    hours.open();
    hours.setProcessingTime(at("12:00:00"));
  }

  @AfterEach
  void close() throws Exception {
    hours.close();
  }

  private static KeyedOneInputStreamOperatorTestHarness<String, UsageIncrement, MeteredUsage>
      harness() throws Exception {
    return new KeyedOneInputStreamOperatorTestHarness<>(
        new KeyedProcessOperator<>(new UsageHourCollector(UsageFlushRule.DEFAULT)),
        UsageIncrement::key,
        Types.STRING);
  }

  private void use(String hour, long offset, long points) throws Exception {
    hours.processElement(
        UsageIncrement.of(
            new UsageHour(new UsageSubject("org-a", "env-a", "service", "shop", "cpu"), at(hour)),
            0,
            offset,
            new MeteredUnits(points, 100, 0, 0)),
        0);
  }

  private List<Long> points() {
    return hours.extractOutputValues().stream().map(one -> one.increment().points()).toList();
  }

  @Test
  void anHourHasFewRecordsThatAddUpAndHoldsNothingWhenItIsOver() throws Exception {
    long second = at("12:00:00");
    for (int i = 0; second < at("13:00:00"); i++) {
      hours.setProcessingTime(second);
      use("12:00:00", i, 1);
      second += 5_000;
    }
    hours.setProcessingTime(at("13:00:10"));

    assertTrue(points().size() <= 7, () -> "records: " + points());
    assertTrue(points().size() >= 4, () -> "records: " + points());
    assertEquals(720, points().stream().mapToLong(Long::longValue).sum());
    assertEquals(
        points().size(),
        hours.extractOutputValues().stream().map(MeteredUsage::recordId).distinct().count());
    assertEquals(0, hours.numKeyedStateEntries());
    hours.setProcessingTime(at("15:00:00"));
    assertEquals(0, hours.numProcessingTimeTimers());
  }

  @Test
  void theFirstRecordComesWithinSecondsAndANewSenderWaitsForNobody() throws Exception {
    use("12:00:00", 1, 5);
    hours.setProcessingTime(at("12:00:10"));

    assertEquals(List.of(5L), points());
    MeteredUsage record = hours.extractOutputValues().get(0);
    assertEquals(at("12:00:10"), record.meteredAtUnixMs());
    assertEquals(1, record.increment().offset());
  }

  @Test
  void whatIsReadAfterItsHourHasARecordOfItsOwn() throws Exception {
    use("12:00:00", 1, 5);
    hours.setProcessingTime(at("13:00:10"));
    use("12:00:00", 2, 3);
    hours.setProcessingTime(at("13:00:20"));

    assertEquals(List.of(5L, 3L), points());
    assertNotEquals(
        hours.extractOutputValues().get(0).recordId(),
        hours.extractOutputValues().get(1).recordId());
    assertEquals(0, hours.numKeyedStateEntries());
  }

  /**
   * A receive time far ahead, by a clock that jumped: written soon, and not remembered for long.
   */
  @Test
  void anHourOfTheFutureHoldsNoState() throws Exception {
    use("20:00:00", 1, 5);
    hours.setProcessingTime(at("12:00:10"));
    assertEquals(List.of(5L), points());

    hours.setProcessingTime(at("13:00:10"));

    assertEquals(0, hours.numKeyedStateEntries());
    assertEquals(0, hours.numProcessingTimeTimers());
  }

  @Test
  void aRestoredJobWritesWhatWasNotWritten() throws Exception {
    use("12:00:00", 1, 5);
    OperatorSubtaskState snapshot = hours.snapshot(1, 1);
    hours.close();
    hours = harness();
    hours.initializeState(snapshot);
    hours.open();
    use("12:00:00", 2, 2);
    hours.setProcessingTime(at("12:30:00"));

    assertEquals(List.of(7L), points());
    assertEquals(1, hours.extractOutputValues().get(0).increment().offset());
  }
}
