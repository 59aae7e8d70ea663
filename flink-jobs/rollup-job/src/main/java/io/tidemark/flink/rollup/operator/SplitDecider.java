package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.io.admission.AdmitBatches;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.control.MetricRecord;
import io.tidemark.flink.model.route.MetricRoute;
import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.route.SplitRule;
import io.tidemark.flink.rollup.RollupMetrics;
import io.tidemark.flink.rollup.cardinality.MeasuredHour;
import io.tidemark.flink.rollup.cardinality.MetricSketch;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One decision per metric for all subtasks, from what each of them measured and from what customers
 * declare. Intervals go out as they change.
 */
public final class SplitDecider
    extends KeyedCoProcessFunction<String, MetricSketch, ControlRecord, RouteInterval> {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(SplitDecider.class);

  private static final long HOUR_MS = Duration.ofHours(1).toMillis();

  private final SplitRule rule;

  // Cleared when nothing was measured for two hours.
  private transient ValueState<MeasuredHour> measured;
  // The declaration in force; kept as long as the control topic has it.
  private transient ValueState<byte[]> declaration;
  // The interval without an end; kept until it ends.
  private transient ValueState<byte[]> openInterval;
  private transient Counter unreadable;

  public SplitDecider(SplitRule rule) {
    this.rule = rule;
  }

  @Override
  public void open(OpenContext context) {
    var state = getRuntimeContext();
    measured =
        state.getState(
            new ValueStateDescriptor<>("measured", TypeInformation.of(MeasuredHour.class)));
    declaration =
        state.getState(new ValueStateDescriptor<>("declaration", TypeInformation.of(byte[].class)));
    openInterval =
        state.getState(
            new ValueStateDescriptor<>("open-interval", TypeInformation.of(byte[].class)));
    unreadable =
        RollupMetrics.counter(state.getMetricGroup(), AdmitBatches.CONTROL_RECORDS_UNREADABLE);
  }

  @Override
  public void processElement1(MetricSketch sketch, Context context, Collector<RouteInterval> out)
      throws Exception {
    TimerService timers = context.timerService();
    long now = timers.currentProcessingTime();
    MeasuredHour before = measured.value();
    if (before == null) {
      timers.registerProcessingTimeTimer((Math.floorDiv(now, HOUR_MS) + 1) * HOUR_MS);
    }
    MeasuredHour hour = MeasuredHour.orNew(before, now / HOUR_MS).plus(sketch);
    measured.update(hour);
    if (declaration.value() == null) {
      MetricRoute route = route(sketch.organizationId(), sketch.environmentId(), sketch.metric());
      emit(
          route,
          route.measured(
              hour.activeSeries(), hour.distinctValues(), now, timers.currentWatermark()),
          out);
    }
  }

  @Override
  public void processElement2(ControlRecord record, Context context, Collector<RouteInterval> out)
      throws Exception {
    TimerService timers = context.timerService();
    long now = timers.currentProcessingTime();
    MetricRecord read = MetricRecord.of(record);
    MetricRecord.Declared before = inForce(record.key());
    if (read instanceof MetricRecord.Unreadable fault) {
      unreadable.inc();
      LOG.warn("Control record '{}' is not in force. {}", record.key(), fault.why());
    } else if (read instanceof MetricRecord.Gone) {
      declaration.clear();
      withdraw(now, timers.currentWatermark(), out);
    } else if (read instanceof MetricRecord.Declared declared
        && (before == null || declared.version() >= before.version())) {
      if (declared.labels().isEmpty()) {
        // Nothing is declared; only the version would be lost, and order makes up for it.
        declaration.clear();
        withdraw(now, timers.currentWatermark(), out);
      } else {
        declaration.update(record.value());
        MetricRoute route =
            route(declared.organizationId(), declared.environmentId(), declared.metric());
        String[] labels = declared.labels().toArray(String[]::new);
        emit(route, route.declared(labels, now, timers.currentWatermark()), out);
      }
    }
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<RouteInterval> out)
      throws Exception {
    MeasuredHour hour = measured.value();
    if (hour == null) {
      return;
    }
    MeasuredHour next = hour.turned(timestamp / HOUR_MS, rule.demoteBelow());
    byte[] open = openInterval.value();
    if (open != null) {
      RouteInterval interval = RouteInterval.decode(open);
      MetricRoute route =
          route(interval.organizationId(), interval.environmentId(), interval.metric());
      emit(
          route,
          route.quiet(next.quietHours(), timestamp, context.timerService().currentWatermark()),
          out);
    }
    if (next.isEmpty() && openInterval.value() == null) {
      measured.clear();
    } else {
      measured.update(next);
      context.timerService().registerProcessingTimeTimer(timestamp + HOUR_MS);
    }
  }

  private void withdraw(long now, long watermark, Collector<RouteInterval> out) throws Exception {
    byte[] open = openInterval.value();
    if (open != null) {
      RouteInterval interval = RouteInterval.decode(open);
      MetricRoute route =
          route(interval.organizationId(), interval.environmentId(), interval.metric());
      emit(route, route.undeclared(now, watermark), out);
    }
  }

  private MetricRecord.@Nullable Declared inForce(String key) throws Exception {
    byte[] value = declaration.value();
    return value != null
            && MetricRecord.of(new ControlRecord(key, value)) instanceof MetricRecord.Declared read
        ? read
        : null;
  }

  private MetricRoute route(String organization, String environment, String metric)
      throws Exception {
    byte[] open = openInterval.value();
    return new MetricRoute(
        rule, organization, environment, metric, open == null ? null : RouteInterval.decode(open));
  }

  private void emit(MetricRoute route, List<RouteInterval> changes, Collector<RouteInterval> out)
      throws Exception {
    if (changes.isEmpty()) {
      return;
    }
    changes.forEach(out::collect);
    RouteInterval open = route.open();
    if (open == null) {
      openInterval.clear();
    } else {
      openInterval.update(open.encode());
    }
  }
}
