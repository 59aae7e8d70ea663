package io.tidemark.platform.testing;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.gauge;
import static io.tidemark.platform.testing.TestingMetrics.histogram;
import static io.tidemark.platform.testing.TestingMetrics.label;
import static io.tidemark.platform.testing.TestingMetrics.nanos;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;
import static io.tidemark.platform.testing.TestingRemoteWrite.series;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.Summary;
import io.tidemark.contracts.prometheus.v2.Metadata.MetricType;
import io.tidemark.contracts.prometheus.v2.TimeSeries;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** Bodies of every wire format, valid and on the edge: what {@link Mutations} begin with. */
public final class HostileBodies {

  private HostileBodies() {}

  public static List<byte[]> otlp(Instant now) {
    return List.of(otlpRequest(now).toByteArray(), new byte[0]);
  }

  private static ExportMetricsServiceRequest otlpRequest(Instant now) {
    HistogramDataPoint.Builder buckets =
        HistogramDataPoint.newBuilder()
            .setTimeUnixNano(nanos(now))
            .setCount(3)
            .setSum(4)
            .addAllBucketCounts(List.of(1L, 2L))
            .addExplicitBounds(1);
    ExponentialHistogram.Builder exponential = ExponentialHistogram.newBuilder();
    exponential
        .setAggregationTemporalityValue(2)
        .addDataPointsBuilder()
        .setTimeUnixNano(nanos(now))
        .setCount(3)
        .setScale(20)
        .getPositiveBuilder()
        .setOffset(Integer.MAX_VALUE)
        .addAllBucketCounts(List.of(1L, 2L));
    Summary.Builder summary = Summary.newBuilder();
    summary
        .addDataPointsBuilder()
        .setTimeUnixNano(nanos(now))
        .setCount(1)
        .addQuantileValuesBuilder()
        .setQuantile(0.5)
        .setValue(Double.NaN);
    return request(
        counter("orders", point(now, 1), point(now, Double.NaN), point(Instant.EPOCH, 1)),
        gauge("ü", point(now, -0.0).toBuilder().addAttributes(label("", "x")).build()),
        histogram("h", buckets.build()),
        Metric.newBuilder().setName("e").setExponentialHistogram(exponential).build(),
        Metric.newBuilder().setName("s").setSummary(summary).build());
  }

  public static List<byte[]> otlpJson(Instant now) {
    try {
      return List.of(
          JsonFormat.printer().print(otlpRequest(now)).getBytes(StandardCharsets.UTF_8),
          "{}".getBytes(StandardCharsets.UTF_8));
    } catch (InvalidProtocolBufferException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  public static List<byte[]> remoteWrite1(Instant now) {
    long millis = now.toEpochMilli();
    return List.of(
        TestingRemoteWrite.request(
                series(1, millis, "__name__", "up", "job", "a", "zone", "ü"),
                series(Double.NaN, millis, "__name__", "b_bucket", "le", "+Inf"),
                series(1, Long.MIN_VALUE, "a", "b", "a", "c"))
            .toByteArray());
  }

  public static List<byte[]> remoteWrite2(Instant now) {
    long millis = now.toEpochMilli();
    TestingRemoteWrite request = new TestingRemoteWrite();
    TimeSeries.Builder samples =
        request.add(MetricType.METRIC_TYPE_COUNTER, "__name__", "calls", "job", "a", "zone", "x");
    samples.addSamplesBuilder().setValue(1).setTimestamp(millis).setStartTimestamp(millis - 5);
    samples
        .addExemplarsBuilder()
        .setValue(2)
        .setTimestamp(millis)
        .addLabelsRefs(request.symbol("trace_id"))
        .addLabelsRefs(request.symbol("5b8efff798038103d269b633813fc60c"));
    TimeSeries.Builder histograms = request.add(MetricType.METRIC_TYPE_HISTOGRAM, "__name__", "h");
    var histogram = histograms.addHistogramsBuilder();
    histogram.setCountInt(6).setSum(3).setSchema(8).setTimestamp(millis).setZeroCountInt(1);
    histogram.addPositiveSpansBuilder().setOffset(-3).setLength(1);
    histogram.addPositiveSpansBuilder().setOffset(1_000).setLength(1);
    histogram.addPositiveDeltas(2).addPositiveDeltas(1);
    var custom = histograms.addHistogramsBuilder();
    custom.setCountInt(2).setSchema(-53).setTimestamp(millis).addCustomValues(0.5);
    custom.addPositiveSpansBuilder().setLength(1);
    custom.addPositiveDeltas(2);
    return List.of(request.build().toByteArray());
  }
}
