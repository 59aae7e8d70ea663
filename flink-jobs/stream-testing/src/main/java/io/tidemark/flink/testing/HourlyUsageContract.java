package io.tidemark.flink.testing;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.io.usage.HourlyUsageCollector;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What each collector of hourly usage holds to.
 *
 * @param <I> what is added
 * @param <R> a record
 */
public abstract class HourlyUsageContract<I, R> {

  private static final int SECONDS_BETWEEN_BATCHES = 5;
  private static final int BATCHES_OF_AN_HOUR = 720;
  private static final int BATCHES_OF_A_QUARTER = BATCHES_OF_AN_HOUR / 4;

  protected KeyedOneInputStreamOperatorTestHarness<String, I, R> hours;

  /** A collector by the rule that is the default. */
  protected abstract HourlyUsageCollector<I, ?, R> collector();

  protected abstract KeySelector<I, String> key();

  /** Points of a batch at an offset of the first partition. */
  protected abstract I units(long hour, long offset, long points);

  protected abstract long pointsOf(R record);

  protected abstract long offsetOf(R record);

  protected abstract String idOf(R record);

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

  private KeyedOneInputStreamOperatorTestHarness<String, I, R> harness() throws Exception {
    return new KeyedOneInputStreamOperatorTestHarness<>(
        new KeyedProcessOperator<>(collector()), key(), Types.STRING);
  }

  protected final void add(String hour, long offset, long points) throws Exception {
    hours.processElement(units(at(hour), offset, points), 0);
  }

  protected final List<Long> points() {
    return hours.extractOutputValues().stream().map(this::pointsOf).toList();
  }

  private long written() {
    return points().stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void anHourHasFewRecordsThatAddUpAndHoldsNothingWhenItIsOver() throws Exception {
    for (int i = 0; i < BATCHES_OF_AN_HOUR; i++) {
      hours.setProcessingTime(at("12:00:00") + i * SECONDS_BETWEEN_BATCHES * 1_000L);
      add("12:00:00", i, 2);
      long unwritten = 2L * (i + 1) - written();
      assertTrue(unwritten <= 2 * (BATCHES_OF_A_QUARTER + 1), () -> unwritten + " wait");
    }
    hours.setProcessingTime(at("13:00:10"));

    assertTrue(points().size() <= 8, () -> "records: " + points());
    assertTrue(points().size() >= 4, () -> "records: " + points());
    assertEquals(2 * BATCHES_OF_AN_HOUR, written());
    assertEquals(
        points().size(), hours.extractOutputValues().stream().map(this::idOf).distinct().count());
    assertEquals(0, hours.numKeyedStateEntries());
    hours.setProcessingTime(at("15:00:00"));
    assertEquals(0, hours.numProcessingTimeTimers());
  }

  @Test
  void whatIsReadAfterItsHourHasARecordOfItsOwn() throws Exception {
    add("12:00:00", 1, 5);
    hours.setProcessingTime(at("13:00:10"));
    add("12:00:00", 2, 3);
    hours.setProcessingTime(at("13:00:20"));

    assertEquals(List.of(5L, 3L), points());
    assertNotEquals(
        idOf(hours.extractOutputValues().get(0)), idOf(hours.extractOutputValues().get(1)));
    assertEquals(0, hours.numKeyedStateEntries());
  }

  /**
   * A receive time far ahead, by a clock that jumped: written soon, and not remembered for long.
   */
  @Test
  void anHourOfTheFutureHoldsNoState() throws Exception {
    add("20:00:00", 1, 5);
    hours.setProcessingTime(at("12:00:10"));
    assertEquals(List.of(5L), points());

    hours.setProcessingTime(at("13:00:10"));

    assertEquals(0, hours.numKeyedStateEntries());
    assertEquals(0, hours.numProcessingTimeTimers());
  }

  @Test
  void aRestoredJobWritesWhatWasNotWritten() throws Exception {
    add("12:00:00", 1, 5);
    OperatorSubtaskState snapshot = hours.snapshot(1, 1);
    hours.close();
    hours = harness();
    hours.initializeState(snapshot);
    hours.open();
    add("12:00:00", 2, 2);
    hours.setProcessingTime(at("12:30:00"));

    assertEquals(List.of(7L), points());
    assertEquals(1, offsetOf(hours.extractOutputValues().get(0)));
  }
}
