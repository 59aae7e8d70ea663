package io.tidemark.platform.tenancy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an environment may use of the pipeline; null where nothing is set.
 *
 * @param activeSeries series that have sent within two hours
 * @param newSeriesPerMinute series met for the first time, per minute
 * @param labelsPerSeries attributes of one series
 * @param labelKeysPerMetric names of point attributes over all series of a metric
 * @param labelValueLength characters of one value or name
 * @param whenSeriesExceeded what the doors do while one of the first two is exceeded
 */
public record Budgets(
    @Nullable Long activeSeries,
    @Nullable Long newSeriesPerMinute,
    @Nullable Integer labelsPerSeries,
    @Nullable Integer labelKeysPerMetric,
    @Nullable Integer labelValueLength,
    @Nullable SeriesOverrunPolicy seriesOverrunPolicy) {

  /** In force where neither environment nor organisation has one: vocabulary/plan.yaml. */
  public static final Budgets PLAN =
      new Budgets(200_000L, 50_000L, 64, 64, 1_024, SeriesOverrunPolicy.FOLD);

  /** These, and where nothing is set the others. */
  public Budgets or(Budgets others) {
    return new Budgets(
        activeSeries == null ? others.activeSeries : activeSeries,
        newSeriesPerMinute == null ? others.newSeriesPerMinute : newSeriesPerMinute,
        labelsPerSeries == null ? others.labelsPerSeries : labelsPerSeries,
        labelKeysPerMetric == null ? others.labelKeysPerMetric : labelKeysPerMetric,
        labelValueLength == null ? others.labelValueLength : labelValueLength,
        seriesOverrunPolicy == null ? others.seriesOverrunPolicy : seriesOverrunPolicy);
  }

  /** One sentence per number that is out of its range, or above what the plan allows. */
  List<String> faults(PlanProperties plan) {
    List<String> faults = new ArrayList<>();
    check("active_series", activeSeries, plan.maxActiveSeries(), faults);
    check("new_series_per_minute", newSeriesPerMinute, plan.maxNewSeriesPerMinute(), faults);
    check("labels_per_series", labelsPerSeries, plan.maxLabelsPerSeries(), faults);
    check("label_keys_per_metric", labelKeysPerMetric, plan.maxLabelKeysPerMetric(), faults);
    check("label_value_length", labelValueLength, plan.maxLabelValueLength(), faults);
    return faults;
  }

  private static void check(String field, @Nullable Number number, long max, List<String> faults) {
    if (number != null && (number.longValue() < 1 || number.longValue() > max)) {
      faults.add(
          field + " must be 1 to " + max + ", which is the plan's, or null for the one above it.");
    }
  }
}
