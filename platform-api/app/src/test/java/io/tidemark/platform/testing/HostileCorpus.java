package io.tidemark.platform.testing;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.gauge;
import static io.tidemark.platform.testing.TestingMetrics.histogram;
import static io.tidemark.platform.testing.TestingMetrics.label;
import static io.tidemark.platform.testing.TestingMetrics.nanos;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;
import static io.tidemark.platform.testing.TestingRemoteWrite.series;
import static io.tidemark.platform.testing.TestingRemoteWrite.snappy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.tidemark.contracts.prometheus.v1.Label;
import io.tidemark.contracts.prometheus.v1.WriteRequest;
import io.tidemark.contracts.prometheus.v2.Metadata.MetricType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** What has brought down receivers of metrics, ours or others', by name. */
public final class HostileCorpus {

  private static final String PROTOBUF = "application/x-protobuf";
  private static final String VERSION_2 = PROTOBUF + ";proto=io.prometheus.write.v2.Request";
  private static final int MANY = 100_000;

  /** A body, where it is sent, and which answers are right. */
  public record Body(
      String name, String path, String type, String encoding, byte[] content, List<Integer> right) {

    @Override
    public String toString() {
      return name;
    }
  }

  private final List<Body> bodies = new ArrayList<>();
  private final Instant now;

  private HostileCorpus(Instant now) {
    this.now = now;
  }

  public static List<Body> at(Instant now) {
    HostileCorpus corpus = new HostileCorpus(now);
    corpus.compressed();
    corpus.wire();
    corpus.otlp();
    corpus.json();
    corpus.remoteWrite1();
    corpus.remoteWrite2();
    return corpus.bodies;
  }

  private void otlp(String name, String encoding, byte[] content, Integer... right) {
    bodies.add(new Body(name, "/v1/metrics", PROTOBUF, encoding, content, List.of(right)));
  }

  private void otlp(String name, MessageLite content, Integer... right) {
    otlp(name, "identity", content.toByteArray(), right);
  }

  private void remoteWrite(String name, String type, byte[] block, Integer... right) {
    bodies.add(new Body(name, "/api/v1/write", type, "snappy", block, List.of(right)));
  }

  private void compressed() {
    // Prometheus, GHSA-8rm2-7qqf-34qm.
    remoteWrite(
        "a snappy block of 47 bytes that declares 2.5 GB",
        PROTOBUF,
        HexFormat.of()
            .parseHex(
                "97eab4890a170a085f5f6e616d655f5f120b746573745f6d6574726963121009000000000000f03f10"
                    + "d48fc9b2a333"),
        413);
    remoteWrite(
        "a snappy stream of frames",
        PROTOBUF,
        HexFormat.of().parseHex("ff060000734e61507059010500000000000000"),
        400);
    otlp("100 MB of zeros in gzip", "gzip", gzip(new byte[100_000_000]), 413);
    otlp("gzip in gzip", "gzip", gzip(gzip(request(counter("c", at(1))).toByteArray())), 400);
    otlp("two encodings", "gzip, gzip", gzip(gzip(new byte[0])), 415);
    otlp(
        "a zstd frame with a window of 2 GiB",
        "zstd",
        HexFormat.of().parseHex("28b52ffd00a8010000"),
        400,
        413);
  }

  private void wire() {
    byte[] unknown = new byte[150_000];
    for (int i = 0; i < unknown.length; i += 3) {
      // Field 200, a varint.
      unknown[i] = (byte) 0xc0;
      unknown[i + 1] = 0x0c;
      unknown[i + 2] = 1;
    }
    otlp("fields that nobody knows, without end", "identity", unknown, 200);
    remoteWrite("the same to Prometheus", PROTOBUF, snappy(unknown), 204);
    remoteWrite("the same to Prometheus 2.0", VERSION_2, snappy(unknown), 204);
    byte[] groups = new byte[MANY];
    Arrays.fill(groups, (byte) 0x7b);
    otlp("groups within groups", "identity", groups, 400);
    remoteWrite("the same groups to Prometheus", PROTOBUF, snappy(groups), 400);
    byte[] huge = HexFormat.of().parseHex("0affffffff070a00");
    otlp("a message that declares 2 GiB", "identity", huge, 400);
    remoteWrite("the same message to Prometheus", PROTOBUF, snappy(huge), 400);
    remoteWrite("the same message to Prometheus 2.0", VERSION_2, snappy(huge), 400);
  }

  private void otlp() {
    ByteString nested = ByteString.EMPTY;
    for (int i = 0; i < 2_000; i++) {
      nested = wrapped(nested);
    }
    otlp(
        "an attribute 4,000 messages deep",
        "identity",
        // Resource metrics, resource, an attribute, its value.
        field(1, field(1, field(1, field(2, nested)))).toByteArray(),
        400);
    otlp("an attribute of 1 MB", request(counter("c", with("k", "x".repeat(1_000_000)))), 200, 400);
    NumberDataPoint.Builder labelled = at(1).toBuilder();
    for (int i = 0; i < 10_000; i++) {
      labelled.addAttributes(label("k" + i, "v"));
    }
    otlp("10,000 attributes", request(counter("c", labelled.build())), 200, 400);
    otlp(
        "an attribute twice and one without a name",
        request(
            counter(
                "c",
                at(1).toBuilder()
                    .addAttributes(label("k", "a"))
                    .addAttributes(label("k", "b"))
                    .addAttributes(label("", "c"))
                    .build())),
        200);
    otlp(
        "a name that is not UTF-8",
        "identity",
        replaced(request(counter("mmmm", at(1))).toByteArray(), "mmmm", 0xc3, 0x28, 0xff, 0x80),
        400);
    otlp(
        "times at the ends of 64 bits",
        request(
            counter(
                "c",
                at(1).toBuilder().setTimeUnixNano(-1).build(),
                at(1).toBuilder().setTimeUnixNano(Long.MAX_VALUE).build(),
                at(1).toBuilder().setTimeUnixNano(Long.MIN_VALUE).build(),
                at(1).toBuilder().setStartTimeUnixNano(-1).build())),
        200);
    otlp(
        "values that are no numbers",
        request(
            gauge(
                "g",
                point(now, Double.NaN),
                point(now, Double.POSITIVE_INFINITY),
                point(now, Double.NEGATIVE_INFINITY))),
        200);
    otlp(
        "a histogram whose bounds and counts do not fit",
        request(
            histogram(
                "h",
                HistogramDataPoint.newBuilder()
                    .setTimeUnixNano(nanos(now))
                    .setCount(-1)
                    .addAllBucketCounts(Collections.nCopies(7, -1L))
                    .addExplicitBounds(Double.NaN)
                    .addExplicitBounds(-1)
                    .build())),
        200);
    ExponentialHistogram.Builder exponential = ExponentialHistogram.newBuilder();
    exponential
        .setAggregationTemporalityValue(1)
        .addDataPointsBuilder()
        .setTimeUnixNano(nanos(now))
        .setCount(MANY)
        .setScale(Integer.MIN_VALUE)
        .getPositiveBuilder()
        .setOffset(Integer.MAX_VALUE)
        .addAllBucketCounts(Collections.nCopies(MANY, 1L));
    otlp(
        "an exponential histogram beyond every scale",
        request(Metric.newBuilder().setName("e").setExponentialHistogram(exponential).build()),
        200,
        400);
  }

  private void json() {
    for (String open : List.of("[", "{\"a\":")) {
      json("JSON 100,000 deep of " + open, open.repeat(MANY), 400);
    }
    json("JSON of a million values", "{\"x\":[" + "0,".repeat(1_000_000) + "0]}", 400, 413);
    json("JSON with a number of a million digits", "{\"x\":" + "9".repeat(1_000_000) + "}", 200);
    json("JSON that breaks off", "{\"resourceMetrics\":[{\"resource\":", 400);
  }

  private void json(String name, String content, Integer... right) {
    bodies.add(
        new Body(
            name,
            "/v1/metrics",
            "application/json",
            "identity",
            content.getBytes(StandardCharsets.UTF_8),
            List.of(right)));
  }

  private void remoteWrite1() {
    long millis = now.toEpochMilli();
    remoteWrite1(
        "a label of 1 MB", 400, series(1, millis, "__name__", "x", "l", "v".repeat(MANY * 10)));
    String[] labels = new String[20_000];
    for (int i = 0; i < labels.length; i += 2) {
      labels[i] = i == 0 ? "__name__" : "l" + i;
      labels[i + 1] = "v";
    }
    remoteWrite1("10,000 labels", 400, series(1, millis, labels));
    remoteWrite1("a label twice", 400, series(1, millis, "__name__", "x", "l", "a", "l", "b"));
    remoteWrite1(
        "labels out of order", 204, series(1, millis, "z", "1", "a", "2", "__name__", "x"));
    remoteWrite1("a label without a name", 400, series(1, millis, "__name__", "x", "", "v"));
    remoteWrite1("a series without a name", 400, series(1, millis, "l", "v"));
    remoteWrite1("a series without labels", 400, series(1, millis));
    remoteWrite1("a sample before all time", 400, series(1, Long.MIN_VALUE, "__name__", "x"));
    remoteWrite1("a sample after all time", 400, series(1, Long.MAX_VALUE, "__name__", "x"));
    remoteWrite1(
        "values that are no numbers",
        400,
        series(Double.NaN, millis, "__name__", "x"),
        series(Double.POSITIVE_INFINITY, millis, "__name__", "y"));
    byte[] text =
        WriteRequest.newBuilder()
            .addTimeseries(
                series(1, millis, "__name__", "x").toBuilder()
                    .addLabels(Label.newBuilder().setName("l").setValue("mmmm")))
            .build()
            .toByteArray();
    remoteWrite(
        "a label that is not UTF-8",
        PROTOBUF,
        snappy(replaced(text, "mmmm", 0xed, 0xa0, 0x80, 0xff)),
        400);
  }

  private void remoteWrite1(
      String name, int right, io.tidemark.contracts.prometheus.v1.TimeSeries... series) {
    remoteWrite(name, PROTOBUF, snappy(TestingRemoteWrite.request(series)), right);
  }

  private void remoteWrite2() {
    long millis = now.toEpochMilli();
    TestingRemoteWrite outside = new TestingRemoteWrite();
    outside
        .add(MetricType.METRIC_TYPE_GAUGE, "__name__", "x")
        .addLabelsRefs(Integer.MAX_VALUE)
        .addLabelsRefs(-1)
        .addSamplesBuilder()
        .setTimestamp(millis);
    remoteWrite("references to no symbol", VERSION_2, snappy(outside.build()), 400);
    TestingRemoteWrite many = new TestingRemoteWrite();
    many.add(MetricType.METRIC_TYPE_GAUGE, "__name__", "x")
        .addAllLabelsRefs(Collections.nCopies(500_000, 1));
    remoteWrite(
        "half a million references of a series without points",
        VERSION_2,
        snappy(many.build()),
        204);
    TestingRemoteWrite spans = new TestingRemoteWrite();
    var histogram =
        spans.add(MetricType.METRIC_TYPE_HISTOGRAM, "__name__", "h").addHistogramsBuilder();
    histogram.setCountInt(1).setSchema(3).setTimestamp(millis);
    histogram.addPositiveSpansBuilder().setOffset(Integer.MIN_VALUE).setLength(-1);
    histogram.addPositiveSpansBuilder().setOffset(Integer.MAX_VALUE).setLength(Integer.MAX_VALUE);
    histogram.addPositiveDeltas(Long.MIN_VALUE).addPositiveDeltas(Long.MAX_VALUE);
    remoteWrite("spans of four billion buckets", VERSION_2, snappy(spans.build()), 400);
    TestingRemoteWrite schema = new TestingRemoteWrite();
    schema
        .add(MetricType.METRIC_TYPE_HISTOGRAM, "__name__", "h")
        .addHistogramsBuilder()
        .setCountInt(1)
        .setSchema(127)
        .setTimestamp(millis);
    remoteWrite("a histogram of no schema", VERSION_2, snappy(schema.build()), 400);
    TestingRemoteWrite start = new TestingRemoteWrite();
    start
        .add(MetricType.METRIC_TYPE_COUNTER, "__name__", "x")
        .addSamplesBuilder()
        .setTimestamp(millis)
        .setStartTimestamp(Long.MIN_VALUE);
    remoteWrite("a start before all time", VERSION_2, snappy(start.build()), 204, 400);
  }

  private NumberDataPoint at(double value) {
    return point(now, value);
  }

  private NumberDataPoint with(String key, String value) {
    return at(1).toBuilder().addAttributes(label(key, value)).build();
  }

  /** An array with one value, as a value. */
  private static ByteString wrapped(ByteString value) {
    return field(AnyValue.ARRAY_VALUE_FIELD_NUMBER, field(ArrayValue.VALUES_FIELD_NUMBER, value));
  }

  private static ByteString field(int number, ByteString content) {
    try {
      ByteString.Output written = ByteString.newOutput();
      CodedOutputStream out = CodedOutputStream.newInstance(written);
      out.writeBytes(number, content);
      out.flush();
      return written.toByteString();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static byte[] replaced(byte[] content, String text, int... bytes) {
    String all = new String(content, StandardCharsets.ISO_8859_1);
    int place = all.indexOf(text);
    for (int i = 0; i < bytes.length; i++) {
      content[place + i] = (byte) bytes[i];
    }
    return content;
  }

  /** The bytes as gzip. */
  public static byte[] gzip(byte[] content) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(content);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return compressed.toByteArray();
  }
}
