package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.model.usage.TakenHour;
import io.tidemark.flink.model.usage.TakenPoints;
import io.tidemark.flink.model.usage.UsageFlushRule;
import io.tidemark.flink.model.usage.UsageHour;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Adds up the points of an hour of receipts and hands them on as usage records, by {@link
 * UsageFlushRule}. Keyed by {@link TakenPoints#key()}. An hour holds no state once it is over and
 * written.
 */
public final class TakenHourCollector extends KeyedProcessFunction<String, TakenPoints, TakenHour> {
  private static final long serialVersionUID = 1L;

  private final UsageFlushRule rule;

  // Cleared by a processing-time timer after the end of the hour.
  private transient ValueState<OpenHour> state;

  /**
   * Points that no record has yet, and how many records there are. State.
   *
   * @param taken empty when all is written
   */
  public record OpenHour(TakenPoints taken, int records) {}

  public TakenHourCollector(UsageFlushRule rule) {
    this.rule = rule;
  }

  @Override
  public void open(OpenContext context) {
    state =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("open-hour", TypeInformation.of(OpenHour.class)));
  }

  @Override
  public void processElement(TakenPoints more, Context context, Collector<TakenHour> out)
      throws Exception {
    OpenHour known = state.value();
    OpenHour open =
        known == null
            ? new OpenHour(more, 0)
            : new OpenHour(known.taken().plus(more), known.records());
    if (known != null && !known.taken().isEmpty()) {
      // Its timer is set.
      state.update(open);
      return;
    }
    TimerService timers = context.timerService();
    long now = timers.currentProcessingTime();
    long at = rule.flushAt(more.hour(), now, open.records());
    if (at <= now) {
      write(open, timers, out);
    } else {
      state.update(open);
      timers.registerProcessingTimeTimer(at);
    }
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<TakenHour> out)
      throws Exception {
    OpenHour open = state.value();
    if (open == null) {
      return;
    }
    if (open.taken().isEmpty()) {
      state.clear();
      return;
    }
    write(open, context.timerService(), out);
  }

  private void write(OpenHour open, TimerService timers, Collector<TakenHour> out)
      throws Exception {
    long now = timers.currentProcessingTime();
    out.collect(new TakenHour(open.taken().recordId(), open.taken(), now));
    UsageHour hour = open.taken().hour();
    if (rule.isOver(hour, now)) {
      state.clear();
    } else {
      state.update(new OpenHour(open.taken().written(), open.records() + 1));
      timers.registerProcessingTimeTimer(rule.rememberedUntil(hour, now));
    }
  }
}
