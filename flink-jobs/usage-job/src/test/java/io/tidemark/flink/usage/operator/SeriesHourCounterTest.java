package io.tidemark.flink.usage.operator;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SeriesHourCounterTest {

  private KeyedOneInputStreamOperatorTestHarness<String, SeriesSighting, UsageIncrement> counter;

  @BeforeEach
  void open() throws Exception {
    counter = harness();
    counter.open();
    counter.setStateTtlProcessingTime(at("12:00:00"));
  }

  @AfterEach
  void close() throws Exception {
    counter.close();
  }

  private static KeyedOneInputStreamOperatorTestHarness<String, SeriesSighting, UsageIncrement>
      harness() throws Exception {
    return new KeyedOneInputStreamOperatorTestHarness<>(
        new KeyedProcessOperator<>(new SeriesHourCounter()), SeriesSighting::key, Types.STRING);
  }

  private void see(String series, long hour, int line) throws Exception {
    counter.processElement(
        new SeriesSighting(
            "org-a", "env-a", "service", "shop", "cpu", series, hour, "minutes", 0, 5, line),
        0);
  }

  private List<String> counted() {
    return counter.extractOutputValues().stream()
        .map(one -> one.activeSeries() + "/" + one.newSeries() + " " + one.line())
        .toList();
  }

  @Test
  void aSeriesCountsOnceAnHourThoughARestartShowsItAgain() throws Exception {
    see("a1", at("12:00:00"), 1);
    see("a1", at("12:00:00"), 2);
    see("a2", at("12:00:00"), 3);
    OperatorSubtaskState snapshot = counter.snapshot(1, 1);
    assertEquals(List.of("1/1 1", "1/1 3"), counted());
    counter.close();
    counter = harness();
    counter.initializeState(snapshot);
    counter.open();
    see("a1", at("12:00:00"), 9);
    see("a1", at("13:00:00"), 1);

    assertEquals(List.of("1/0 1"), counted());
  }

  @Test
  void aSilentSeriesHoldsNoStateAndIsNewAgain() throws Exception {
    see("a1", at("12:00:00"), 1);
    long later = at("12:00:00") + Duration.ofHours(27).toMillis();
    counter.setStateTtlProcessingTime(later);
    OperatorSubtaskState snapshot = counter.snapshot(1, 1);
    counter.close();
    counter = harness();
    counter.setStateTtlProcessingTime(later);
    counter.initializeState(snapshot);
    counter.open();
    see("a1", later, 2);

    assertEquals(List.of("1/1 2"), counted());
    assertEquals(1, counter.numKeyedStateEntries());
  }
}
