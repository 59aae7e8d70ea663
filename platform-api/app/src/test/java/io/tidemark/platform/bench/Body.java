package io.tidemark.platform.bench;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.tidemark.contracts.prometheus.v1.Label;
import io.tidemark.contracts.prometheus.v1.TimeSeries;
import io.tidemark.contracts.prometheus.v1.WriteRequest;
import io.tidemark.contracts.prometheus.v2.Metadata.MetricType;
import io.tidemark.platform.testing.TestingRemoteWrite;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.xerial.snappy.Snappy;

/**
 * One sender's requests: always the same series, each with the next sample. The bytes are made once
 * and times and values are written into them, so that the sender costs little beside the receiver.
 */
final class Body {

  static final int METRICS = 20;
  private static final long STEP_MS = 100;
  private static final long START_NANOS = 0x1122334455667788L;
  private static final double FIRST_VALUE = Double.longBitsToDouble(0x4173344556677889L);

  /** The field of a sample's value, before that of its time. */
  private static final byte[] VALUE_MARK =
      ByteBuffer.allocate(9)
          .order(ByteOrder.LITTLE_ENDIAN)
          .put((byte) 0x09)
          .putDouble(FIRST_VALUE)
          .array();

  private final boolean isRemoteWrite;
  private final byte[] bytes;
  private final int[] places;
  private final int points;
  private long millis;
  private double value = 1;

  private Body(boolean isRemoteWrite, byte[] bytes, byte[] mark, int points, long firstMillis) {
    this.isRemoteWrite = isRemoteWrite;
    this.bytes = bytes;
    this.places = places(bytes, mark);
    this.points = points;
    this.millis = firstMillis;
    if (places.length != points) {
      throw new IllegalStateException("Found " + places.length + " of " + points + " points");
    }
  }

  int points() {
    return points;
  }

  /** Remote write 1.0 of a sender. */
  static Body remoteWrite(int sender, int points, long firstMillis) {
    WriteRequest.Builder request = WriteRequest.newBuilder();
    for (int i = 0; i < points; i++) {
      TimeSeries.Builder series = request.addTimeseriesBuilder();
      prometheusLabels("rw_", sender, i)
          .forEach(
              (name, text) -> series.addLabels(Label.newBuilder().setName(name).setValue(text)));
      series.addSamplesBuilder().setValue(FIRST_VALUE).setTimestamp(firstMillis);
    }
    return new Body(true, request.build().toByteArray(), VALUE_MARK, points, firstMillis);
  }

  /** Remote write 2.0 of a sender, with the metadata that Prometheus sends along. */
  static Body remoteWrite2(int sender, int points, long firstMillis) {
    TestingRemoteWrite request = new TestingRemoteWrite();
    for (int i = 0; i < points; i++) {
      String[] labels =
          prometheusLabels("rw2_", sender, i).entrySet().stream()
              .flatMap(label -> Stream.of(label.getKey(), label.getValue()))
              .toArray(String[]::new);
      var series = request.add(MetricType.METRIC_TYPE_COUNTER, labels);
      series.getMetadataBuilder().setHelpRef(request.symbol("Requests of " + metric(i) + "."));
      series.addSamplesBuilder().setValue(FIRST_VALUE).setTimestamp(firstMillis);
    }
    return new Body(true, request.build().toByteArray(), VALUE_MARK, points, firstMillis);
  }

  private static Map<String, String> prometheusLabels(String prefix, int sender, int i) {
    Map<String, String> labels = new TreeMap<>(labels(i));
    labels.put("__name__", prefix + metric(i) + "_total");
    labels.put("job", "shop");
    labels.put("instance", instance(sender));
    return labels;
  }

  /** OTLP of a sender. */
  static Body otlp(int sender, int points, long firstMillis) {
    ResourceMetrics.Builder resource = ResourceMetrics.newBuilder();
    resource
        .getResourceBuilder()
        .addAttributes(attribute("service.name", "shop"))
        .addAttributes(attribute("service.instance.id", instance(sender)));
    List<List<NumberDataPoint>> ofMetrics = new ArrayList<>();
    for (int metric = 0; metric < METRICS; metric++) {
      ofMetrics.add(new ArrayList<>());
    }
    for (int i = 0; i < points; i++) {
      NumberDataPoint.Builder point =
          NumberDataPoint.newBuilder()
              .setStartTimeUnixNano(START_NANOS)
              .setTimeUnixNano(firstMillis * 1_000_000)
              .setAsDouble(FIRST_VALUE);
      labels(i).forEach((name, text) -> point.addAttributes(attribute(name, text)));
      ofMetrics.get(i % METRICS).add(point.build());
    }
    var scope = resource.addScopeMetricsBuilder();
    scope.getScopeBuilder().setName("bench");
    for (int metric = 0; metric < METRICS; metric++) {
      scope.addMetrics(
          Metric.newBuilder()
              .setName("otlp." + metric(metric).replace('_', '.'))
              .setSum(
                  Sum.newBuilder()
                      .setIsMonotonic(true)
                      .setAggregationTemporality(
                          AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE)
                      .addAllDataPoints(ofMetrics.get(metric))));
    }
    byte[] mark =
        ByteBuffer.allocate(10)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put((byte) 0x11)
            .putLong(START_NANOS)
            .put((byte) 0x19)
            .array();
    byte[] request =
        ExportMetricsServiceRequest.newBuilder().addResourceMetrics(resource).build().toByteArray();
    Body body = new Body(false, request, mark, points, firstMillis);
    ByteBuffer buffer = ByteBuffer.wrap(request).order(ByteOrder.LITTLE_ENDIAN);
    for (int place : body.places) {
      buffer.putLong(place + 1, (firstMillis - 60_000) * 1_000_000);
    }
    return body;
  }

  private static String instance(int sender) {
    return "10.0.7." + sender + ":9090";
  }

  private static String metric(int i) {
    return "http_server_requests_" + i % METRICS;
  }

  private static Map<String, String> labels(int i) {
    Map<String, String> labels = new TreeMap<>();
    labels.put("method", i % 2 == 0 ? "GET" : "POST");
    labels.put("status", i % 7 == 0 ? "500" : "200");
    labels.put("zone", "eu-central-1" + (char) ('a' + i % 3));
    labels.put("route", "/api/v1/orders/" + i / METRICS);
    labels.put("pod", "shop-7f9c6d5b8-" + Integer.toString(i / METRICS % 20, 36));
    return labels;
  }

  private static KeyValue attribute(String name, String text) {
    return KeyValue.newBuilder()
        .setKey(name)
        .setValue(AnyValue.newBuilder().setStringValue(text))
        .build();
  }

  private static int[] places(byte[] bytes, byte[] mark) {
    List<Integer> found = new ArrayList<>();
    for (int at = 0; at <= bytes.length - mark.length; at++) {
      int same = 0;
      while (same < mark.length && bytes[at + same] == mark[same]) {
        same++;
      }
      if (same == mark.length) {
        found.add(at);
        at += mark.length - 1;
      }
    }
    return found.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The next request, compressed as its protocol has it. */
  byte[] next() {
    millis += STEP_MS;
    value += 1.25;
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < places.length; i++) {
      if (isRemoteWrite) {
        buffer.putDouble(places[i] + 1, value + i);
        varint(places[i] + 10, millis);
      } else {
        buffer.putLong(places[i] + 10, millis * 1_000_000);
        buffer.putDouble(places[i] + 19, value + i);
      }
    }
    if (!isRemoteWrite) {
      return bytes;
    }
    try {
      return Snappy.compress(bytes);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Six bytes, as every time of this century has. */
  private void varint(int place, long number) {
    long left = number;
    for (int i = 0; i < 6; i++) {
      bytes[place + i] = (byte) (i < 5 ? left & 0x7f | 0x80 : left & 0x7f);
      left >>>= 7;
    }
  }
}
