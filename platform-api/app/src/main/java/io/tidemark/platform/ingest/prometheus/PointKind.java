package io.tidemark.platform.ingest.prometheus;

import io.opentelemetry.proto.metrics.v1.DataPointFlags;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.tidemark.contracts.prometheus.v2.Metadata.MetricType;

/** What a series becomes in OTLP, with the numbers of the fields that differ. */
enum PointKind {
  GAUGE(
      Metric.GAUGE_FIELD_NUMBER,
      NumberDataPoint.ATTRIBUTES_FIELD_NUMBER,
      NumberDataPoint.EXEMPLARS_FIELD_NUMBER),
  COUNTER(
      Metric.SUM_FIELD_NUMBER,
      NumberDataPoint.ATTRIBUTES_FIELD_NUMBER,
      NumberDataPoint.EXEMPLARS_FIELD_NUMBER),
  HISTOGRAM(
      Metric.HISTOGRAM_FIELD_NUMBER,
      HistogramDataPoint.ATTRIBUTES_FIELD_NUMBER,
      HistogramDataPoint.EXEMPLARS_FIELD_NUMBER),
  EXPONENTIAL_HISTOGRAM(
      Metric.EXPONENTIAL_HISTOGRAM_FIELD_NUMBER,
      ExponentialHistogramDataPoint.ATTRIBUTES_FIELD_NUMBER,
      ExponentialHistogramDataPoint.EXEMPLARS_FIELD_NUMBER);

  /** The flag of a point without a value. */
  static final int NO_RECORDED_VALUE = DataPointFlags.DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK_VALUE;

  private static final byte[] TOTAL = SeriesLabels.ascii("_total");
  private static final byte[] COUNT = SeriesLabels.ascii("_count");
  private static final byte[] SUM = SeriesLabels.ascii("_sum");
  private static final byte[] BUCKET = SeriesLabels.ascii("_bucket");
  private static final byte[] BOUND = SeriesLabels.ascii("le");

  final int data;
  final int attributes;
  final int exemplars;

  PointKind(int data, int attributes, int exemplars) {
    this.data = data;
    this.attributes = attributes;
    this.exemplars = exemplars;
  }

  /**
   * The kind of a series of samples. Said by its metadata; without them by its name alone, so that
   * a series is the same in every request.
   *
   * @param type number of a MetricType; unknown numbers are unspecified
   */
  static PointKind ofSamples(int type, SeriesLabels labels) {
    return switch (type) {
      case MetricType.METRIC_TYPE_COUNTER_VALUE -> COUNTER;
      case MetricType.METRIC_TYPE_GAUGE_VALUE,
          MetricType.METRIC_TYPE_GAUGEHISTOGRAM_VALUE,
          MetricType.METRIC_TYPE_INFO_VALUE,
          MetricType.METRIC_TYPE_STATESET_VALUE ->
          GAUGE;
      case MetricType.METRIC_TYPE_HISTOGRAM_VALUE, MetricType.METRIC_TYPE_SUMMARY_VALUE ->
          isPartOfDistribution(labels) ? COUNTER : GAUGE;
      default -> labels.metricNameEndsWith(TOTAL) || isPartOfDistribution(labels) ? COUNTER : GAUGE;
    };
  }

  /** Buckets, count and sum of a classic histogram or summary are running totals. */
  private static boolean isPartOfDistribution(SeriesLabels labels) {
    return labels.metricNameEndsWith(COUNT)
        || labels.metricNameEndsWith(SUM)
        || (labels.metricNameEndsWith(BUCKET) && labels.has(BOUND));
  }
}
