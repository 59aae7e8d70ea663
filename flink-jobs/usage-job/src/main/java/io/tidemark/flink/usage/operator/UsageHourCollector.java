package io.tidemark.flink.usage.operator;

import io.tidemark.flink.io.JobMetrics;
import io.tidemark.flink.model.usage.UsageFlushRule;
import io.tidemark.flink.model.usage.UsageHour;
import io.tidemark.flink.model.usage.UsageRecordId;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Adds up the units of an hour and hands them on as records, by {@link UsageFlushRule}. Keyed by
 * {@link UsageIncrement#key()}. An hour holds no state once it is over and written.
 */
public final class UsageHourCollector
    extends KeyedProcessFunction<String, UsageIncrement, MeteredUsage> {
  private static final long serialVersionUID = 1L;

  /** Usage records handed to the sink. */
  public static final String USAGE_RECORDS = "usageRecords";

  private final UsageFlushRule rule;

  // Cleared by a processing-time timer after the end of the hour.
  private transient ValueState<OpenUsage> state;
  private transient Counter records;

  public UsageHourCollector(UsageFlushRule rule) {
    this.rule = rule;
  }

  @Override
  public void open(OpenContext context) {
    state =
        getRuntimeContext()
            .getState(
                new ValueStateDescriptor<>("open-usage", TypeInformation.of(OpenUsage.class)));
    records = JobMetrics.counter(getRuntimeContext().getMetricGroup(), USAGE_RECORDS);
  }

  @Override
  public void processElement(UsageIncrement increment, Context context, Collector<MeteredUsage> out)
      throws Exception {
    OpenUsage known = state.value();
    OpenUsage open = known == null ? new OpenUsage(increment, 0) : known.plus(increment);
    if (known != null && !known.isEmpty()) {
      // Its timer is set.
      state.update(open);
      return;
    }
    TimerService timers = context.timerService();
    long now = timers.currentProcessingTime();
    long at = rule.flushAt(increment.hour(), now, open.written());
    if (at <= now) {
      write(open, timers, out);
    } else {
      state.update(open);
      timers.registerProcessingTimeTimer(at);
    }
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<MeteredUsage> out)
      throws Exception {
    OpenUsage open = state.value();
    if (open == null) {
      return;
    }
    if (open.isEmpty()) {
      state.clear();
      return;
    }
    write(open, context.timerService(), out);
  }

  private void write(OpenUsage open, TimerService timers, Collector<MeteredUsage> out)
      throws Exception {
    UsageIncrement sum = open.sum();
    UsageHour hour = sum.hour();
    long now = timers.currentProcessingTime();
    records.inc();
    UsageIncrement.Place place = sum.place();
    String id =
        UsageRecordId.of(
            hour, place.origin(), place.topic(), place.partition(), place.offset(), place.line());
    out.collect(new MeteredUsage(id, sum, now));
    if (rule.isOver(hour, now)) {
      state.clear();
    } else {
      state.update(open.afterRecord());
      timers.registerProcessingTimeTimer(rule.rememberedUntil(hour, now));
    }
  }
}
