package io.tidemark.flink.rollup.operator;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.usage.TakenHour;
import io.tidemark.flink.model.usage.TakenPoints;
import io.tidemark.flink.model.usage.UsageFlushRule;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TakenHourCollectorTest {

  private KeyedOneInputStreamOperatorTestHarness<String, TakenPoints, TakenHour> hours;

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

  private static KeyedOneInputStreamOperatorTestHarness<String, TakenPoints, TakenHour> harness()
      throws Exception {
    return new KeyedOneInputStreamOperatorTestHarness<>(
        new KeyedProcessOperator<>(new TakenHourCollector(UsageFlushRule.DEFAULT)),
        TakenPoints::key,
        Types.STRING);
  }

  private void take(String hour, long offset, long points) throws Exception {
    hours.processElement(new TakenPoints("org-a", "env-a", at(hour), 0, offset, points), 0);
  }

  private List<Long> points() {
    return hours.extractOutputValues().stream().map(one -> one.taken().points()).toList();
  }

  @Test
  void anHourHasFewRecordsThatAddUpAndHoldsNothingWhenItIsOver() throws Exception {
    long second = at("12:00:00");
    for (int i = 0; second < at("13:00:00"); i++) {
      hours.setProcessingTime(second);
      take("12:00:00", i, 2);
      second += 5_000;
    }
    hours.setProcessingTime(at("13:00:10"));

    assertTrue(points().size() <= 7, () -> "records: " + points());
    assertEquals(1440, points().stream().mapToLong(Long::longValue).sum());
    assertEquals(
        points().size(),
        hours.extractOutputValues().stream().map(TakenHour::recordId).distinct().count());
    assertEquals(0, hours.numKeyedStateEntries());
    hours.setProcessingTime(at("15:00:00"));
    assertEquals(0, hours.numProcessingTimeTimers());
  }

  @Test
  void whatIsReadAfterItsHourHasARecordOfItsOwn() throws Exception {
    take("12:00:00", 1, 5);
    hours.setProcessingTime(at("13:00:10"));
    take("12:00:00", 2, 3);
    hours.setProcessingTime(at("13:00:20"));

    assertEquals(List.of(5L, 3L), points());
    assertNotEquals(
        hours.extractOutputValues().get(0).recordId(),
        hours.extractOutputValues().get(1).recordId());
    assertEquals(0, hours.numKeyedStateEntries());
  }

  @Test
  void aRestoredJobWritesWhatWasNotWritten() throws Exception {
    take("12:00:00", 1, 5);
    OperatorSubtaskState snapshot = hours.snapshot(1, 1);
    hours.close();
    hours = harness();
    hours.initializeState(snapshot);
    hours.open();
    take("12:00:00", 2, 2);
    hours.setProcessingTime(at("12:30:00"));

    assertEquals(List.of(7L), points());
    assertEquals(1, hours.extractOutputValues().get(0).taken().offset());
  }
}
