package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.io.usage.HourlyUsageCollector;
import io.tidemark.flink.model.usage.OpenUsageHour;
import io.tidemark.flink.model.usage.TakenHour;
import io.tidemark.flink.model.usage.TakenPoints;
import io.tidemark.flink.model.usage.UsageFlushRule;
import io.tidemark.flink.model.usage.UsageHour;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/** Makes usage records of the points of an hour of receipts. Keyed by {@link TakenPoints#key()}. */
public final class TakenHourCollector
    extends HourlyUsageCollector<TakenPoints, TakenHourCollector.OpenHour, TakenHour> {
  private static final long serialVersionUID = 1L;

  /**
   * Points that no record has yet, and how many records there are. State.
   *
   * @param taken empty when all is written
   */
  public record OpenHour(TakenPoints taken, int records)
      implements OpenUsageHour<TakenPoints, OpenHour> {

    @Override
    public UsageHour hour() {
      return taken.hour();
    }

    @Override
    public int written() {
      return records;
    }

    @Override
    public boolean isEmpty() {
      return taken.isEmpty();
    }

    @Override
    public OpenHour plus(TakenPoints more) {
      return new OpenHour(taken.plus(more), records);
    }

    @Override
    public OpenHour afterRecord() {
      return new OpenHour(taken.written(), records + 1);
    }
  }

  public TakenHourCollector(UsageFlushRule rule) {
    super(rule);
  }

  @Override
  protected ValueStateDescriptor<OpenHour> openHours() {
    return new ValueStateDescriptor<>("open-hour", TypeInformation.of(OpenHour.class));
  }

  @Override
  protected OpenHour first(TakenPoints taken) {
    return new OpenHour(taken, 0);
  }

  @Override
  protected TakenHour record(OpenHour open, long now) {
    return new TakenHour(open.taken().recordId(), open.taken(), now);
  }
}
