package io.tidemark.flink.io.usage;

import io.tidemark.flink.model.usage.OpenUsageHour;
import io.tidemark.flink.model.usage.UsageFlushRule;
import io.tidemark.flink.model.usage.UsageHour;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Adds up the units of an hour and hands them on as records, by {@link UsageFlushRule}. Keyed by
 * the hour of a subject. An hour holds no state once it is over and written.
 *
 * @param <I> what is added
 * @param <S> state of an hour
 * @param <R> a record
 */
public abstract class HourlyUsageCollector<I, S extends OpenUsageHour<I, S>, R>
    extends KeyedProcessFunction<String, I, R> {
  private static final long serialVersionUID = 1L;

  private final UsageFlushRule rule;

  // Cleared by a processing-time timer after the end of the hour.
  private transient ValueState<S> state;

  protected HourlyUsageCollector(UsageFlushRule rule) {
    this.rule = rule;
  }

  /** The state by the name that savepoints have it by. */
  protected abstract ValueStateDescriptor<S> openHours();

  /** An hour of which nothing was known. */
  protected abstract S first(I units);

  /** The record of all that an hour holds. */
  protected abstract R record(S open, long now);

  @Override
  public void open(OpenContext context) {
    state = getRuntimeContext().getState(openHours());
  }

  @Override
  public void processElement(I units, Context context, Collector<R> out) throws Exception {
    S known = state.value();
    S open = known == null ? first(units) : known.plus(units);
    if (known != null && !known.isEmpty()) {
      // Its timer is set.
      state.update(open);
      return;
    }
    TimerService timers = context.timerService();
    long now = timers.currentProcessingTime();
    long at = rule.flushAt(open.hour(), now, open.written());
    if (at <= now) {
      write(open, timers, out);
    } else {
      state.update(open);
      timers.registerProcessingTimeTimer(at);
    }
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<R> out) throws Exception {
    S open = state.value();
    if (open == null) {
      return;
    }
    if (open.isEmpty()) {
      state.clear();
      return;
    }
    write(open, context.timerService(), out);
  }

  private void write(S open, TimerService timers, Collector<R> out) throws Exception {
    long now = timers.currentProcessingTime();
    out.collect(record(open, now));
    UsageHour hour = open.hour();
    if (rule.isOver(hour, now)) {
      state.clear();
    } else {
      state.update(open.afterRecord());
      timers.registerProcessingTimeTimer(rule.rememberedUntil(hour, now));
    }
  }
}
