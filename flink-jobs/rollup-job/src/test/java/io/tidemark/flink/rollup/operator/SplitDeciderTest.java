package io.tidemark.flink.rollup.operator;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.route.RouteInterval.Why;
import io.tidemark.flink.model.route.SplitRule;
import io.tidemark.flink.rollup.cardinality.DistinctSketch;
import io.tidemark.flink.rollup.cardinality.MetricSketch;
import io.tidemark.flink.testing.TestControl;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SplitDeciderTest {

  private static final SplitRule RULE = new SplitRule(1_000, 500, 2, 100, Duration.ofMinutes(10));
  private static final String KEY = "org-a/env-a/req";

  private KeyedTwoInputStreamOperatorTestHarness<String, MetricSketch, ControlRecord, RouteInterval>
      deciding;

  @BeforeEach
  void open() throws Exception {
    deciding = harness();
    deciding.open();
    deciding.setProcessingTime(at("12:00:10"));
  }

  @AfterEach
  void close() throws Exception {
    deciding.close();
  }

  @Test
  void measuredIntervalBeginsAndEndsAndNothingIsLeft() throws Exception {
    measured(900, 1);
    assertEquals(0, decided().size());
    measured(1_200, 2);
    assertEquals(1, decided().size());
    RouteInterval began = decided().get(0);
    assertEquals(at("12:11:00"), began.validFrom());
    assertEquals(Why.MEASURED, began.why());
    measured(1_200, 3);
    OperatorSubtaskState snapshot = deciding.snapshot(1, 1);
    deciding.close();

    deciding = harness();
    deciding.initializeState(snapshot);
    deciding.open();
    deciding.setProcessingTime(at("13:00:00"));
    deciding.setProcessingTime(at("14:00:00"));
    assertEquals(0, decided().size(), "one quiet hour is not enough");
    deciding.setProcessingTime(at("15:00:00"));

    RouteInterval ended = decided().get(0);
    assertEquals(began.validFrom(), ended.validFrom());
    assertEquals(at("15:11:00"), ended.validTo());
    assertEquals(0, deciding.numKeyedStateEntries());
    assertEquals(0, deciding.numProcessingTimeTimers());
  }

  @Test
  void declarationComesFirstAndIsWithdrawn() throws Exception {
    declare(TestControl.metric("org-a", "req", "zone"));
    measured(5_000, 1);
    assertEquals(1, decided().size());
    assertEquals(Why.DECLARED, decided().get(0).why());

    // Unreadable: what is in force stays.
    declare(new ControlRecord(KEY, new byte[] {1, 2}));
    assertEquals(1, decided().size());

    declare(new ControlRecord(KEY, new byte[0]));
    assertEquals(2, decided().size());
    assertEquals(at("12:11:00"), decided().get(1).validTo(), "it never was in force");
    measured(5_000, 2);
    assertEquals(Why.MEASURED, decided().get(2).why());
  }

  /** Two subtasks with half the series each. */
  private void measured(int series, int seed) throws Exception {
    for (int half = 0; half < 2; half++) {
      DistinctSketch own = DistinctSketch.empty();
      DistinctSketch values = DistinctSketch.empty();
      for (int i = half; i < series; i += 2) {
        own.add(new SplittableRandom(i).nextLong());
        values.add("value-" + i);
      }
      deciding.processElement1(
          new StreamRecord<>(
              new MetricSketch(
                  KEY,
                  "org-a",
                  "env-a",
                  "req",
                  own.bytes(),
                  new String[] {"id"},
                  new byte[][] {values.bytes()}),
              seed));
    }
  }

  private void declare(ControlRecord record) throws Exception {
    deciding.processElement2(new StreamRecord<>(record));
  }

  private List<RouteInterval> decided() {
    return deciding.extractOutputValues();
  }

  private static KeyedTwoInputStreamOperatorTestHarness<
          String, MetricSketch, ControlRecord, RouteInterval>
      harness() throws Exception {
    return new KeyedTwoInputStreamOperatorTestHarness<>(
        new KeyedCoProcessOperator<>(new SplitDecider(RULE)),
        MetricSketch::metricKey,
        ControlRecord::key,
        Types.STRING);
  }
}
