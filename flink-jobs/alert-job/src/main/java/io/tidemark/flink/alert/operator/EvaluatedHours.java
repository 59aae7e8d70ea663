package io.tidemark.flink.alert.operator;

import io.tidemark.flink.model.alert.EvaluatedHour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * Counts minutes of groups that were decided for the first time, until a statement sends them on.
 * Every part adds its own, so any part may take up what is in a checkpoint.
 */
final class EvaluatedHours {

  private static final long HOUR_MS = Duration.ofHours(1).toMillis();

  private final ListState<EvaluatedHour> state;
  private final Map<EvaluatedHour, Long> pending = new HashMap<>();

  /** What each rule counts now; it is counted every minute, and the hour is mostly the same. */
  private final Map<String, Count> counts = new HashMap<>();

  /** Evaluations of a rule in one hour. */
  private static final class Count {
    private final EvaluatedHour hour;
    private long evaluations;

    private Count(EvaluatedHour hour) {
      this.hour = hour;
    }

    private boolean isOf(String metric, long minute) {
      return minute >= hour.hourUnixMs()
          && minute - hour.hourUnixMs() < HOUR_MS
          && metric.equals(hour.metric());
    }
  }

  EvaluatedHours(OperatorStateStore store) throws Exception {
    state =
        store.getListState(
            new ListStateDescriptor<>(
                "pending-evaluations", TypeInformation.of(EvaluatedHour.class)));
    for (EvaluatedHour hour : state.get()) {
      pending.merge(hour.withoutCount(), hour.evaluations(), Long::sum);
    }
  }

  void count(String rule, String metric, long minute, long groups) {
    Count count = counts.get(rule);
    if (count == null || !count.isOf(metric, minute)) {
      if (count != null) {
        settle(count);
      }
      count = new Count(EvaluatedHour.ofMinute(rule, metric, minute).withoutCount());
      counts.put(rule, count);
    }
    count.evaluations += groups;
  }

  private void settle(Count count) {
    if (count.evaluations > 0) {
      pending.merge(count.hour, count.evaluations, Long::sum);
      count.evaluations = 0;
    }
  }

  /** Writes them to the state. */
  void write() throws Exception {
    counts.values().forEach(this::settle);
    List<EvaluatedHour> all = new ArrayList<>();
    pending.forEach((hour, count) -> all.add(hour.with(count)));
    state.update(all);
  }

  /** Sends them on. */
  void handOn(Consumer<EvaluatedHour> out) {
    if (!pending.isEmpty()) {
      counts.values().forEach(this::settle);
      counts.clear();
      pending.forEach((hour, count) -> out.accept(hour.with(count)));
      pending.clear();
      return;
    }
    // One that nothing was added to is of an hour that is over, or of a rule that is gone.
    counts.values().removeIf(count -> count.evaluations == 0);
    for (Count count : counts.values()) {
      out.accept(count.hour.with(count.evaluations));
      count.evaluations = 0;
    }
  }
}
