package io.tidemark.flink.alert.operator;

import io.tidemark.flink.model.alert.GroupCount;
import io.tidemark.flink.model.alert.RuleEvaluation;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Puts together what the parts of the job say of a rule, and tells what is another. */
public final class EvaluationLedger
    extends KeyedProcessFunction<String, GroupCount, RuleEvaluation> {
  private static final long serialVersionUID = 1L;

  // Released with the rule; of a part, when it has said nothing for minutes.
  private transient MapState<Integer, GroupCount> parts;
  private transient ValueState<RuleEvaluation> told;

  @Override
  public void open(OpenContext context) {
    parts =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "counts-by-part", Types.INT, TypeInformation.of(GroupCount.class)));
    told =
        getRuntimeContext()
            .getState(
                new ValueStateDescriptor<>(
                    "told-evaluation", TypeInformation.of(RuleEvaluation.class)));
  }

  @Override
  public void processElement(GroupCount count, Context context, Collector<RuleEvaluation> out)
      throws Exception {
    if (count.isGone()) {
      parts.clear();
      if (told.value() != null) {
        told.clear();
        out.collect(RuleEvaluation.gone(count.rule()));
      }
      return;
    }
    parts.put(count.part(), count);
    List<GroupCount> all = new ArrayList<>();
    parts.values().forEach(all::add);
    RuleEvaluation now = RuleEvaluation.of(count.rule(), all);
    for (GroupCount part : all) {
      if (RuleEvaluation.isStale(part, now.decidedUntil())) {
        parts.remove(part.part());
      }
    }
    if (!now.equals(told.value())) {
      told.update(now);
      out.collect(now);
    }
  }
}
