package io.tidemark.flink.alert.bench;

import io.tidemark.flink.alert.match.SignalMinute;
import io.tidemark.flink.alert.operator.GroupEvaluator;
import io.tidemark.flink.alert.operator.RowMatcher;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.progress.ProgressRecord;
import io.tidemark.flink.io.rows.RowBundle;
import io.tidemark.flink.model.alert.AlertTransition;
import io.tidemark.flink.model.alert.AlertTransition.Kind;
import io.tidemark.flink.model.completeness.CompletenessStatement;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.TwoInputStreamOperatorTestHarness;

/**
 * The operators of the alert job, one behind the other, with their state in RocksDB as it is
 * shipped. What is measured is the time of this process: rows as text come in, transitions go out,
 * and once a minute all that is new is written to the state, as before a checkpoint.
 */
final class OperatorRun implements AutoCloseable {

  private static final int KEY_GROUPS = 128;
  private static final long MINUTE_MS = 60_000;

  /** Time of the rows; any whole hour. */
  private static final long BEGINNING = 1_767_225_600_000L;

  private final BenchLoad load;
  private final GroupEvaluator groups = new GroupEvaluator();
  private final TwoInputStreamOperatorTestHarness<RowBundle, ControlRecord, SignalMinute> matcher;
  private final KeyedTwoInputStreamOperatorTestHarness<
          String, SignalMinute, ControlRecord, AlertTransition>
      evaluator;
  private final PassedOutput<SignalMinute> matched = new PassedOutput<>();
  private final PassedOutput<AlertTransition> told = new PassedOutput<>();
  private long minute = BEGINNING;
  private long firing;

  OperatorRun(BenchLoad load) throws Exception {
    this.load = load;
    matcher = new TwoInputStreamOperatorTestHarness<>(new RowMatcher(), KEY_GROUPS, 1, 0);
    matcher.setOutputCreator(ignored -> matched);
    matcher.open();
    evaluator =
        new KeyedTwoInputStreamOperatorTestHarness<>(
            groups, SignalMinute::signal, null, Types.STRING, KEY_GROUPS, 1, 0);
    evaluator.setStateBackend(new EmbeddedRocksDBStateBackend(true));
    evaluator.setOutputCreator(ignored -> told);
    evaluator.open();
    for (int rule = 0; rule < load.rules(); rule++) {
      ControlRecord control = load.control(rule, BEGINNING);
      matcher.processElement2(control, 0);
      evaluator.processElement2(control, 0);
    }
  }

  /** Decides as many minutes as are asked for; nanoseconds of CPU that it took, all threads. */
  long minutes(int number) throws Exception {
    long spent = 0;
    for (int i = 0; i < number; i++) {
      List<RowBundle> rows = load.rows(minute);
      long before = cpu();
      for (RowBundle record : rows) {
        matcher.processElement1(record, 0);
      }
      minute += MINUTE_MS;
      matcher.processWatermark2(new Watermark(minute - 1));
      matcher.processWatermark1(new Watermark(minute - 1));
      pass();
      evaluator.processElement2(
          new ControlRecord(
              "", ProgressRecord.encode(new CompletenessStatement(minute, 0, List.of()))),
          0);
      evaluator.processWatermark2(new Watermark(minute - 1));
      evaluator.processWatermark1(new Watermark(minute - 1));
      told.drain(this::count);
      groups.write();
      spent += cpu() - before;
    }
    return spent;
  }

  private void pass() throws Exception {
    List<SignalMinute> minutes = new ArrayList<>();
    matched.drain(minutes::add);
    for (SignalMinute one : minutes) {
      evaluator.processElement1(one, 0);
    }
  }

  private void count(AlertTransition transition) {
    firing += transition.kind() == Kind.FIRED ? 1 : 0;
    firing -= transition.kind() == Kind.RESOLVED ? 1 : 0;
  }

  /** Incidents that are open. */
  long firing() {
    return firing;
  }

  private static long cpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  @Override
  public void close() throws Exception {
    matcher.close();
    evaluator.close();
  }
}
