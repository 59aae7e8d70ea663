package io.tidemark.flink.usage.operator;

import io.tidemark.flink.model.usage.ActiveHours;
import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.UsageHour;
import io.tidemark.flink.model.usage.UsageOrigin;
import java.time.Duration;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Counts a series once in every hour in which it is active. Keyed by {@link SeriesSighting#key()};
 * a series that is silent holds no state after a day and two hours.
 */
public final class SeriesHourCounter
    extends KeyedProcessFunction<String, SeriesSighting, UsageIncrement> {
  private static final long serialVersionUID = 1L;

  private static final Duration REMEMBERED = Duration.ofHours(ActiveHours.LOOKED_BACK + 2);

  private transient ValueState<ActiveHours> state;

  @Override
  public void open(OpenContext context) {
    ValueStateDescriptor<ActiveHours> hours =
        new ValueStateDescriptor<>("active-hours", TypeInformation.of(ActiveHours.class));
    hours.enableTimeToLive(
        StateTtlConfig.newBuilder(REMEMBERED)
            .setUpdateType(StateTtlConfig.UpdateType.OnCreateAndWrite)
            .setStateVisibility(StateTtlConfig.StateVisibility.NeverReturnExpired)
            .build());
    state = getRuntimeContext().getState(hours);
  }

  @Override
  public void processElement(
      SeriesSighting sighting, Context context, Collector<UsageIncrement> out) throws Exception {
    ActiveHours known = state.value() == null ? ActiveHours.NONE : state.value();
    long hour = Math.floorDiv(sighting.hourUnixMs(), UsageHour.LENGTH_MS);
    ActiveHours.Outcome outcome = known.outcome(hour);
    if (outcome == ActiveHours.Outcome.KNOWN) {
      return;
    }
    state.update(known.with(hour));
    out.collect(
        UsageIncrement.of(
            sighting.hour(),
            new UsageIncrement.Place(
                UsageOrigin.SERIES,
                sighting.topic(),
                sighting.partition(),
                sighting.offset(),
                sighting.line()),
            MeteredUnits.ofSeries(outcome == ActiveHours.Outcome.NEW)));
  }
}
