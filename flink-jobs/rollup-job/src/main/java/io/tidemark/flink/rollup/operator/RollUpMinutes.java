package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.io.points.ReadingRequest;
import io.tidemark.flink.model.cumulative.CumulativeReading;
import io.tidemark.flink.model.cumulative.CumulativeReference;
import io.tidemark.flink.model.cumulative.CumulativeToDelta;
import io.tidemark.flink.model.cumulative.PendingReading;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.point.SourcePosition;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.model.rollup.Contribution;
import io.tidemark.flink.model.rollup.MinuteGrid;
import io.tidemark.flink.model.rollup.Pane;
import io.tidemark.flink.model.rollup.PaneTiming;
import io.tidemark.flink.model.rollup.RollupRow;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import io.tidemark.flink.rollup.RollupMetrics;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.TimeDomain;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * One-minute delta panes of one series. A pane is emitted by the watermark, or by the wall clock
 * when it is late or the watermark stands still; then it is gone, and the next point opens another.
 *
 * <p>Panes are emitted in the order of their minutes, so cumulative readings become deltas in event
 * order: a reading waits in state until the pane of its minute goes.
 */
public final class RollUpMinutes extends KeyedProcessFunction<SeriesKey, MetricPoint, RollupRow> {
  private static final long serialVersionUID = 1L;

  /** How long a silent cumulative series is remembered, on the wall clock. */
  static final Duration REFERENCE_MEMORY = Duration.ofHours(24);

  /** Fires with the end of input, where processing-time timers no longer do. */
  private static final long END_OF_INPUT = Long.MAX_VALUE;

  private final PaneTiming timing;
  private final String sourceTopic;

  // An entry per open minute; removed when its pane is emitted.
  private transient MapState<Long, Pane> panes;
  // Cleared with the last open pane.
  private transient ValueState<SeriesDescriptor> series;
  // Waiting cumulative readings by point time; removed with the pane of their minute.
  private transient MapState<Long, PendingReading> readings;
  // The last used cumulative reading; expires after REFERENCE_MEMORY without another.
  private transient ValueState<CumulativeReference> reference;

  private transient Counter onTime;
  private transient Counter late;
  private transient Counter overdue;
  private transient Counter baselines;
  private transient Counter repeated;
  private transient DeadLetterOutput deadLetters;

  public RollUpMinutes(PaneTiming timing, String sourceTopic) {
    this.timing = timing;
    this.sourceTopic = sourceTopic;
  }

  @Override
  public void open(OpenContext context) {
    panes =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>("panes", Types.LONG, TypeInformation.of(Pane.class)));
    series =
        getRuntimeContext()
            .getState(
                new ValueStateDescriptor<>("series", TypeInformation.of(SeriesDescriptor.class)));
    readings =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "readings", Types.LONG, TypeInformation.of(PendingReading.class)));
    ValueStateDescriptor<CumulativeReference> remembered =
        new ValueStateDescriptor<>("reference", TypeInformation.of(CumulativeReference.class));
    remembered.enableTimeToLive(StateTtlConfig.newBuilder(REFERENCE_MEMORY).build());
    reference = getRuntimeContext().getState(remembered);

    MetricGroup metrics = getRuntimeContext().getMetricGroup();
    onTime = RollupMetrics.counter(metrics, RollupMetrics.PANES_ON_TIME);
    late = RollupMetrics.counter(metrics, RollupMetrics.PANES_LATE);
    overdue = RollupMetrics.counter(metrics, RollupMetrics.PANES_OVERDUE);
    baselines = RollupMetrics.counter(metrics, RollupMetrics.READINGS_BASELINE);
    repeated = RollupMetrics.counter(metrics, RollupMetrics.READINGS_REPEATED);
    deadLetters = new DeadLetterOutput(metrics);
  }

  @Override
  public void processElement(MetricPoint point, Context context, Collector<RollupRow> out)
      throws Exception {
    long minute = MinuteGrid.minuteOf(point.timeUnixNano());
    Pane pane = panes.get(minute);
    if (pane == null) {
      pane = openPane(point, minute, context.timerService());
    }
    if (point.contribution() != null) {
      Pane next =
          added(
              pane,
              point.contribution(),
              point.timeUnixNano(),
              point.position(),
              minute,
              point.series(),
              context,
              out);
      panes.put(minute, next);
    } else {
      hold(point, Objects.requireNonNull(point.cumulative()), minute, pane, context);
    }
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<RollupRow> out)
      throws Exception {
    if (context.timeDomain() == TimeDomain.EVENT_TIME) {
      emitThrough(timestamp, onTime, context, out);
      return;
    }
    long through = Long.MIN_VALUE;
    for (Map.Entry<Long, Pane> open : panes.entries()) {
      if (open.getValue().emitAt() <= timestamp) {
        through = Math.max(through, open.getKey());
      }
    }
    if (through != Long.MIN_VALUE) {
      boolean isLate = PaneTiming.isLate(through, context.timerService().currentWatermark());
      emitThrough(through, isLate ? late : overdue, context, out);
    }
  }

  private Pane openPane(MetricPoint point, long minute, TimerService timers) throws Exception {
    long watermark = timers.currentWatermark();
    long emitAt = timing.emitAt(minute, watermark, timers.currentProcessingTime());
    timers.registerProcessingTimeTimer(emitAt);
    timers.registerEventTimeTimer(
        PaneTiming.isLate(minute, watermark) ? END_OF_INPUT : MinuteGrid.lastInstantOf(minute));
    series.update(point.series());
    return Pane.open(point.position(), emitAt);
  }

  private Pane added(
      Pane pane,
      Contribution contribution,
      long timeUnixNano,
      SourcePosition position,
      long minute,
      SeriesDescriptor descriptor,
      Context context,
      Collector<RollupRow> out) {
    if (pane.hasRoomFor(contribution)) {
      return pane.plus(contribution, timeUnixNano);
    }
    out.collect(new RollupRow(context.getCurrentKey(), descriptor, minute, pane));
    return pane.reopened(position).plus(contribution, timeUnixNano);
  }

  private void hold(
      MetricPoint point, CumulativeReading reading, long minute, Pane pane, Context context)
      throws Exception {
    PendingReading other = readings.get(point.timeUnixNano());
    if (other == null) {
      readings.put(point.timeUnixNano(), new PendingReading(reading, point.position()));
      panes.put(minute, pane.withPendingReading());
    } else if (other.reading().agreesWith(reading)) {
      repeated.inc();
    } else {
      setAside(
          RejectionReason.CUMULATIVE_OUT_OF_ORDER,
          "Another value of the series has the same time.",
          point.series(),
          point.timeUnixNano(),
          new PendingReading(reading, point.position()),
          context);
    }
  }

  /** Emits every open pane up to a minute, oldest first, and clears what belongs to them. */
  private void emitThrough(
      long minute, Counter panesEmitted, OnTimerContext context, Collector<RollupRow> out)
      throws Exception {
    NavigableMap<Long, Pane> due = new TreeMap<>();
    Set<Long> stillNeeded = new HashSet<>();
    boolean hasReadings = false;
    for (Map.Entry<Long, Pane> open : panes.entries()) {
      if (open.getKey() <= minute) {
        due.put(open.getKey(), open.getValue());
        hasReadings |= open.getValue().pendingReadings() > 0;
      } else {
        stillNeeded.add(open.getValue().emitAt());
      }
    }
    if (due.isEmpty()) {
      return;
    }
    SeriesDescriptor descriptor = Objects.requireNonNull(series.value());
    if (hasReadings) {
      takeReadings(due, descriptor, context, out);
    }
    TimerService timers = context.timerService();
    for (Map.Entry<Long, Pane> entry : due.entrySet()) {
      Pane pane = entry.getValue();
      if (pane.contributions() > 0) {
        out.collect(new RollupRow(context.getCurrentKey(), descriptor, entry.getKey(), pane));
        panesEmitted.inc();
      }
      panes.remove(entry.getKey());
      timers.deleteEventTimeTimer(MinuteGrid.lastInstantOf(entry.getKey()));
      if (!stillNeeded.contains(pane.emitAt())) {
        timers.deleteProcessingTimeTimer(pane.emitAt());
      }
    }
    if (stillNeeded.isEmpty()) {
      timers.deleteEventTimeTimer(END_OF_INPUT);
      series.clear();
    }
  }

  /**
   * Turns the readings of the due minutes into deltas, in event order, and adds them to the panes.
   */
  private void takeReadings(
      NavigableMap<Long, Pane> due,
      SeriesDescriptor descriptor,
      OnTimerContext context,
      Collector<RollupRow> out)
      throws Exception {
    NavigableMap<Long, PendingReading> inOrder = new TreeMap<>();
    for (Map.Entry<Long, PendingReading> waiting : readings.entries()) {
      if (due.containsKey(MinuteGrid.minuteOf(waiting.getKey()))) {
        inOrder.put(waiting.getKey(), waiting.getValue());
      }
    }
    CumulativeReference last = reference.value();
    for (Map.Entry<Long, PendingReading> entry : inOrder.entrySet()) {
      long time = entry.getKey();
      PendingReading pending = entry.getValue();
      CumulativeToDelta.Outcome outcome =
          CumulativeToDelta.next(last, descriptor.kind(), time, pending.reading());
      if (outcome instanceof CumulativeToDelta.Counted counted) {
        last = counted.reference();
        long minute = MinuteGrid.minuteOf(time);
        due.put(
            minute,
            added(
                due.get(minute),
                counted.contribution(),
                time,
                pending.position(),
                minute,
                descriptor,
                context,
                out));
      } else if (outcome instanceof CumulativeToDelta.Baseline baseline) {
        last = baseline.reference();
        baselines.inc();
      } else if (outcome instanceof CumulativeToDelta.Repeated) {
        repeated.inc();
      } else if (outcome instanceof CumulativeToDelta.OutOfOrder) {
        setAside(
            RejectionReason.CUMULATIVE_OUT_OF_ORDER,
            "The series was already read up to a later time, or the start time goes back.",
            descriptor,
            time,
            pending,
            context);
      } else {
        setAside(
            RejectionReason.VALUE_NOT_FINITE,
            "The difference to the previous reading is not a finite number.",
            descriptor,
            time,
            pending,
            context);
      }
      readings.remove(time);
    }
    reference.update(last);
  }

  private void setAside(
      RejectionReason reason,
      String finding,
      SeriesDescriptor descriptor,
      long timeUnixNano,
      PendingReading pending,
      Context context) {
    byte[] original = ReadingRequest.of(descriptor, timeUnixNano, pending.reading());
    String detail =
        finding
            + " Metric '"
            + descriptor.metric()
            + "', series "
            + context.getCurrentKey().hex()
            + ", time_unix_nano "
            + timeUnixNano
            + ". The original is a request rebuilt from this point.";
    context.output(
        DeadLetterOutput.TAG,
        deadLetters.counted(
            new DeadLetter(
                reason,
                detail,
                descriptor.organizationId(),
                descriptor.environmentId(),
                pending.reading().batchId(),
                sourceTopic,
                pending.position().partition(),
                pending.position().offset(),
                pending.reading().receivedAtUnixMs(),
                original,
                original.length,
                1,
                "roll-up")));
  }
}
