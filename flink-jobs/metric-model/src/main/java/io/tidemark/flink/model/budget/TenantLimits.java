package io.tidemark.flink.model.budget;

import java.io.Serializable;

/**
 * Limits of one environment; every number is at least 1.
 *
 * @param activeSeries series that have sent within the last two hours; cumulative ones within a day
 * @param newSeriesPerMinute series met for the first time, per minute of the wall clock
 * @param labelsPerSeries point and resource attributes of one series together
 * @param labelKeysPerMetric names of point attributes over all series of a metric
 * @param labelValueLength characters of a name, a unit, or the name or value of an attribute
 */
public record TenantLimits(
    long activeSeries,
    long newSeriesPerMinute,
    int labelsPerSeries,
    int labelKeysPerMetric,
    int labelValueLength)
    implements Serializable {

  /** For series that were admitted before, or are not a tenant's doing. */
  public static final TenantLimits NONE =
      new TenantLimits(
          Long.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

  /** These limits, where a number that is not positive stands for the one of {@code plan}. */
  public TenantLimits orElse(TenantLimits plan) {
    return new TenantLimits(
        activeSeries > 0 ? activeSeries : plan.activeSeries,
        newSeriesPerMinute > 0 ? newSeriesPerMinute : plan.newSeriesPerMinute,
        labelsPerSeries > 0 ? labelsPerSeries : plan.labelsPerSeries,
        labelKeysPerMetric > 0 ? labelKeysPerMetric : plan.labelKeysPerMetric,
        labelValueLength > 0 ? labelValueLength : plan.labelValueLength);
  }
}
