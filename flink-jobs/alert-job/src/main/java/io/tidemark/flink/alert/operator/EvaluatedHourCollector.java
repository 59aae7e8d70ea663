package io.tidemark.flink.alert.operator;

import io.tidemark.flink.alert.AlertMetrics;
import io.tidemark.flink.io.JobMetrics;
import io.tidemark.flink.model.alert.EvaluatedHour;
import io.tidemark.flink.model.alert.EvaluationUsage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Adds up what a rule evaluated and hands it on as usage records, every quarter of an hour of event
 * time. Keyed by {@link EvaluatedHour#subject()}.
 */
public final class EvaluatedHourCollector
    extends KeyedProcessFunction<String, EvaluatedHour, EvaluationUsage> {
  private static final long serialVersionUID = 1L;

  private static final long QUARTER_MS = Duration.ofMinutes(15).toMillis();

  /** A rule that evaluates nothing for so long begins to count its records anew. */
  private static final long REMEMBERED_MS = Duration.ofHours(25).toMillis();

  /**
   * Records of a subject. State.
   *
   * @param written how many
   * @param lastAt event time of the last one
   * @param releasedAt event time at which it is asked whether they can be forgotten
   */
  public record Parts(long written, long lastAt, long releasedAt) {}

  // Each hour is released when it is written.
  private transient MapState<Long, EvaluatedHour> hours;
  // Released by a timer, a day after the last record.
  private transient ValueState<Parts> parts;
  private transient Counter records;

  @Override
  public void open(OpenContext context) {
    hours =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "evaluated-hours", Types.LONG, TypeInformation.of(EvaluatedHour.class)));
    parts =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("usage-parts", TypeInformation.of(Parts.class)));
    records = JobMetrics.counter(getRuntimeContext().getMetricGroup(), AlertMetrics.USAGE_RECORDS);
  }

  @Override
  public void processElement(EvaluatedHour count, Context context, Collector<EvaluationUsage> out)
      throws Exception {
    EvaluatedHour known = hours.get(count.hourUnixMs());
    hours.put(
        count.hourUnixMs(),
        known == null
            ? count
            : count.with(Math.addExact(known.evaluations(), count.evaluations())));
    // The same timer for all that comes before it. After a restart there is no watermark yet.
    long now = Math.max(context.timerService().currentWatermark(), count.hourUnixMs());
    context.timerService().registerEventTimeTimer(endOfQuarter(now));
  }

  private static long endOfQuarter(long time) {
    return Math.floorDiv(time, QUARTER_MS) * QUARTER_MS + QUARTER_MS - 1;
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<EvaluationUsage> out)
      throws Exception {
    List<EvaluatedHour> due = new ArrayList<>();
    hours.values().forEach(due::add);
    hours.clear();
    due.sort(Comparator.comparingLong(EvaluatedHour::hourUnixMs));
    Parts known = parts.value();
    long written = known == null ? 0 : known.written();
    for (EvaluatedHour hour : due) {
      out.collect(
          EvaluationUsage.of(
              hour, written, timestamp, context.timerService().currentProcessingTime()));
      written++;
      records.inc();
    }
    long lastAt = due.isEmpty() && known != null ? known.lastAt() : timestamp;
    if (known != null && timestamp < known.releasedAt()) {
      parts.update(new Parts(written, lastAt, known.releasedAt()));
    } else if (lastAt + REMEMBERED_MS <= timestamp) {
      parts.clear();
    } else {
      parts.update(new Parts(written, lastAt, lastAt + REMEMBERED_MS));
      context.timerService().registerEventTimeTimer(lastAt + REMEMBERED_MS);
    }
  }
}
