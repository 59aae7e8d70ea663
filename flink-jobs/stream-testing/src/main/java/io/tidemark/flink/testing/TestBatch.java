package io.tidemark.flink.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.resource.v1.Resource;
import io.tidemark.flink.io.points.PointsHeaders;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.source.PointsRecordReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A batch as the gateway would write it. Metrics are added one by one; {@code received} turns the
 * batch into the record that the source would read.
 */
public final class TestBatch {

  private final ScopeMetrics.Builder metrics = ScopeMetrics.newBuilder();
  private final Resource.Builder resource =
      Resource.newBuilder().addAttributes(attribute("service.name", "shop"));

  public TestBatch gauge(String name, String time, double value) {
    return add(
        Metric.newBuilder()
            .setName(name)
            .setGauge(Gauge.newBuilder().addDataPoints(number(time, value))));
  }

  public TestBatch delta(String name, String time, double value) {
    return add(
        Metric.newBuilder().setName(name).setSum(delta().addDataPoints(number(time, value))));
  }

  public TestBatch cumulative(String name, String start, String time, double total) {
    return add(
        Metric.newBuilder()
            .setName(name)
            .setSum(
                Sum.newBuilder()
                    .setIsMonotonic(true)
                    .setAggregationTemporality(
                        AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE)
                    .addDataPoints(
                        number(time, total).setStartTimeUnixNano(TestTime.nanosAt(start)))));
  }

  /** One more attribute of the resource, which is the service shop. */
  public TestBatch resource(String key, String value) {
    resource.addAttributes(attribute(key, value));
    return this;
  }

  public TestBatch add(Metric.Builder metric) {
    metrics.addMetrics(metric);
    return this;
  }

  public static NumberDataPoint.Builder number(String time, double value) {
    return NumberDataPoint.newBuilder()
        .setTimeUnixNano(TestTime.nanosAt(time))
        .setAsDouble(value)
        .addAttributes(attribute("zone", "1"));
  }

  public static KeyValue.Builder attribute(String key, String value) {
    return KeyValue.newBuilder().setKey(key).setValue(AnyValue.newBuilder().setStringValue(value));
  }

  public byte[] bytes() {
    return ExportMetricsServiceRequest.newBuilder()
        .addResourceMetrics(
            ResourceMetrics.newBuilder().setResource(resource).addScopeMetrics(metrics))
        .build()
        .toByteArray();
  }

  public PointsRecord received(String organization, long offset, String time) {
    return record(organization, offset, time, bytes());
  }

  /** Any bytes, with the headers that the gateway would give them. */
  public static PointsRecord record(String organization, long offset, String time, byte[] value) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("points", 0, offset, new byte[0], value);
    header(record, PointsHeaders.ORGANIZATION_ID, organization);
    header(record, PointsHeaders.ENVIRONMENT_ID, "env-a");
    header(record, PointsHeaders.BATCH_ID, batchId(organization, value));
    header(record, PointsHeaders.RECEIVED_AT_UNIX_MS, Long.toString(TestTime.at(time)));
    return read(record);
  }

  /** What the source makes of a Kafka record. */
  public static PointsRecord read(ConsumerRecord<byte[], byte[]> record) {
    List<PointsRecord> records = new ArrayList<>();
    try {
      new PointsRecordReader().deserialize(record, new ListCollector<>(records));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return records.get(0);
  }

  private static void header(ConsumerRecord<byte[], byte[]> record, String name, String value) {
    record.headers().add(name, value.getBytes(UTF_8));
  }

  private static String batchId(String organization, byte[] value) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(organization.getBytes(UTF_8));
      digest.update((byte) 0);
      return HexFormat.of().formatHex(digest.digest(value));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Sum.Builder delta() {
    return Sum.newBuilder()
        .setIsMonotonic(true)
        .setAggregationTemporality(AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA);
  }
}
