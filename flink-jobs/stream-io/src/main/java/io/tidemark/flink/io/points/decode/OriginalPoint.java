package io.tidemark.flink.io.points.decode;

import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.tidemark.flink.io.points.decode.SentPoint.Temporality;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** OTLP data points of every kind as {@link SentPoint}. */
final class OriginalPoint {

  private OriginalPoint() {}

  /**
   * @param temporality null for a gauge
   */
  static SentPoint of(NumberDataPoint point, @Nullable AggregationTemporality temporality) {
    boolean isInt = point.hasAsInt();
    return new SentPoint(
        temporality == null ? Temporality.INSTANT : of(temporality),
        point.getStartTimeUnixNano(),
        point.getFlags(),
        isInt,
        isInt ? point.getAsInt() : Double.doubleToRawLongBits(point.getAsDouble()),
        null);
  }

  static SentPoint of(HistogramDataPoint point, AggregationTemporality temporality) {
    return observations(
        of(temporality),
        point.getStartTimeUnixNano(),
        point.getFlags(),
        new SentObservations(
            point.getCount(),
            point.hasSum() ? point.getSum() : null,
            point.hasMin() ? point.getMin() : null,
            point.hasMax() ? point.getMax() : null,
            longs(point.getBucketCountsList()),
            doubles(point.getExplicitBoundsList()),
            null,
            null,
            null));
  }

  static SentPoint of(ExponentialHistogramDataPoint point, AggregationTemporality temporality) {
    return observations(
        of(temporality),
        point.getStartTimeUnixNano(),
        point.getFlags(),
        new SentObservations(
            point.getCount(),
            point.hasSum() ? point.getSum() : null,
            point.hasMin() ? point.getMin() : null,
            point.hasMax() ? point.getMax() : null,
            null,
            null,
            new SentObservations.Exponential(
                point.getScale(),
                point.getZeroCount(),
                point.getZeroThreshold(),
                point.getPositive().getOffset(),
                longs(point.getPositive().getBucketCountsList()),
                point.getNegative().getOffset(),
                longs(point.getNegative().getBucketCountsList())),
            null,
            null));
  }

  /** OTLP defines count and sum of a summary as running totals. */
  static SentPoint of(SummaryDataPoint point) {
    return observations(
        Temporality.CUMULATIVE,
        point.getStartTimeUnixNano(),
        point.getFlags(),
        new SentObservations(
            point.getCount(),
            point.getSum(),
            null,
            null,
            null,
            null,
            null,
            point.getQuantileValuesList().stream()
                .mapToDouble(SummaryDataPoint.ValueAtQuantile::getQuantile)
                .toArray(),
            point.getQuantileValuesList().stream()
                .mapToDouble(SummaryDataPoint.ValueAtQuantile::getValue)
                .toArray()));
  }

  private static SentPoint observations(
      Temporality temporality, long start, int flags, SentObservations observations) {
    return new SentPoint(temporality, start, flags, false, 0, observations);
  }

  private static Temporality of(AggregationTemporality temporality) {
    return temporality == AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE
        ? Temporality.CUMULATIVE
        : Temporality.DELTA;
  }

  private static long[] longs(List<Long> values) {
    return values.stream().mapToLong(Long::longValue).toArray();
  }

  private static double[] doubles(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
