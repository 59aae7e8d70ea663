package io.tidemark.flink.alert.operator;

import io.tidemark.flink.model.alert.EvaluatedHour;
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

  private final ListState<EvaluatedHour> state;
  private final Map<EvaluatedHour, Long> pending = new HashMap<>();

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
    pending.merge(EvaluatedHour.ofMinute(rule, metric, minute).withoutCount(), groups, Long::sum);
  }

  /** Writes them to the state. */
  void write() throws Exception {
    List<EvaluatedHour> all = new ArrayList<>();
    pending.forEach((hour, count) -> all.add(hour.with(count)));
    state.update(all);
  }

  /** Sends them on. */
  void handOn(Consumer<EvaluatedHour> out) {
    pending.forEach((hour, count) -> out.accept(hour.with(count)));
    pending.clear();
  }
}
