package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.rollup.PaneTiming;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;

/**
 * Subtasks of {@link RollupOperator}, without open minutes, for tests that restart and rescale it.
 */
final class RollupHarness {

  static final int KEY_GROUPS = 128;

  private RollupHarness() {}

  static KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> of(
      int parallelism, int subtask) throws Exception {
    return new KeyedOneInputStreamOperatorTestHarness<>(
        new RollupOperator(PaneTiming.DEFAULT, KEY_GROUPS, "points"),
        new BundleKeySelector(KEY_GROUPS),
        Types.INT,
        KEY_GROUPS,
        parallelism,
        subtask);
  }

  static void send(
      KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> rollUp, MetricPoint point)
      throws Exception {
    for (byte[] bundle : RowsOfBundles.bundles(point, KEY_GROUPS)) {
      rollUp.processElement(new StreamRecord<>(bundle));
    }
  }
}
