package io.tidemark.flink.usage.operator;

import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.OpenUsageHour;
import io.tidemark.flink.model.usage.UsageHour;

/**
 * Units of an hour that no record has yet, and how many records it has. State of jobs.
 *
 * @param sum with the place of the first increment that is not written; without units when all is
 * @param written records of the hour so far
 */
public record OpenUsage(UsageIncrement sum, int written)
    implements OpenUsageHour<UsageIncrement, OpenUsage> {

  @Override
  public UsageHour hour() {
    return sum.hour();
  }

  @Override
  public boolean isEmpty() {
    return sum.units().isNone();
  }

  @Override
  public OpenUsage plus(UsageIncrement increment) {
    return isEmpty()
        ? new OpenUsage(increment, written)
        : new OpenUsage(
            UsageIncrement.of(sum.hour(), sum.place(), sum.units().plus(increment.units())),
            written);
  }

  @Override
  public OpenUsage afterRecord() {
    return new OpenUsage(
        UsageIncrement.of(sum.hour(), sum.place(), MeteredUnits.NONE), written + 1);
  }
}
