package io.tidemark.flink.rollup.orders;

import io.tidemark.flink.io.control.ControlRecord;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.util.Collector;

/**
 * All records of one control topic, once. A checkpoint that began after they were sent and is
 * complete says that every operator has them: its barrier came behind them.
 */
final class ControlScript
    implements FlatMapFunction<Long, ControlRecord>, CheckpointedFunction, CheckpointListener {
  private static final long serialVersionUID = 1L;

  private static final long NONE = Long.MAX_VALUE;
  private static final Map<String, List<ControlRecord>> RECORDS = new ConcurrentHashMap<>();
  private static final Set<String> IN_FORCE = ConcurrentHashMap.newKeySet();

  private final String topic;
  private boolean isSent;
  private long coveredBy = NONE;

  ControlScript(String topic) {
    this.topic = topic;
  }

  /** To be called ahead of every run, with the records of every topic. */
  static void reset(Map<String, List<ControlRecord>> records) {
    IN_FORCE.clear();
    RECORDS.clear();
    RECORDS.putAll(records);
  }

  static boolean isInForce() {
    return IN_FORCE.containsAll(RECORDS.keySet());
  }

  @Override
  public void flatMap(Long start, Collector<ControlRecord> out) {
    RECORDS.get(topic).forEach(out::collect);
    isSent = true;
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) {
    if (isSent && coveredBy == NONE) {
      coveredBy = context.getCheckpointId();
    }
  }

  @Override
  public void initializeState(FunctionInitializationContext context) {}

  @Override
  public void notifyCheckpointComplete(long checkpoint) {
    if (checkpoint >= coveredBy) {
      IN_FORCE.add(topic);
    }
  }
}
