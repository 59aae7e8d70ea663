package io.tidemark.flink.io.points.decode;

import static io.tidemark.flink.io.points.OtlpRequests.CUMULATIVE;
import static io.tidemark.flink.io.points.OtlpRequests.DELTA;
import static io.tidemark.flink.io.points.OtlpRequests.any;
import static io.tidemark.flink.io.points.OtlpRequests.exponential;
import static io.tidemark.flink.io.points.OtlpRequests.exponentialPoint;
import static io.tidemark.flink.io.points.OtlpRequests.gauge;
import static io.tidemark.flink.io.points.OtlpRequests.histogram;
import static io.tidemark.flink.io.points.OtlpRequests.number;
import static io.tidemark.flink.io.points.OtlpRequests.observations;
import static io.tidemark.flink.io.points.OtlpRequests.request;
import static io.tidemark.flink.io.points.OtlpRequests.sum;
import static io.tidemark.flink.io.points.OtlpRequests.text;
import static io.tidemark.flink.io.points.decode.TestingDecodedPointConsumer.NOW_NANOS;
import static io.tidemark.flink.io.points.decode.TestingDecodedPointConsumer.decode;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.Summary;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.tidemark.flink.model.cumulative.CumulativeReading;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.rollup.Contribution;
import io.tidemark.flink.model.series.MetricKind;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OtlpDecoderTest {

  @Test
  void gaugeIsAValueWithItsSeriesAndPosition() {
    TestingDecodedPointConsumer decoded =
        decode(
            request(
                gauge("cpu", number(0.25).addAttributes(text("zone", "1"))).setUnit("1"),
                gauge("cpu", number(0.5))));

    MetricPoint point = decoded.points.get(0);
    assertEquals("cpu", point.series().metric());
    assertEquals(MetricKind.GAUGE, point.series().kind());
    assertEquals("1", point.series().unit());
    assertEquals("org-a", point.series().organizationId());
    assertEquals("env-a", point.series().environmentId());
    assertEquals(Map.of("service.name", "shop"), point.series().resource());
    assertEquals(Map.of("zone", "1"), point.series().attributes());
    assertEquals(NOW_NANOS, point.timeUnixNano());
    assertEquals(Contribution.ofValue(0.25), point.contribution());
    assertEquals("3-77-0", point.position().toString());
    assertEquals("3-77-1", decoded.points.get(1).position().toString());
  }

  @Test
  void deltaSumsAddTheirValue() {
    TestingDecodedPointConsumer decoded =
        decode(request(sum("up", true, DELTA, number(3)), sum("updown", false, DELTA, number(-3))));

    assertEquals(MetricKind.COUNTER, decoded.points.get(0).series().kind());
    assertEquals(Contribution.ofValue(3), decoded.points.get(0).contribution());
    assertEquals(MetricKind.UPDOWN_COUNTER, decoded.points.get(1).series().kind());
    assertEquals(Contribution.ofValue(-3), decoded.points.get(1).contribution());
  }

  @Test
  void cumulativeCounterIsAReading() {
    NumberDataPoint.Builder point = number(30).setStartTimeUnixNano(NOW_NANOS - 5);

    MetricPoint decoded = decode(request(sum("up", true, CUMULATIVE, point))).points.get(0);

    assertEquals(null, decoded.contribution());
    CumulativeReading reading = decoded.cumulative();
    assertEquals(30, reading.sum());
    assertEquals(0, reading.count());
    assertEquals(NOW_NANOS - 5, reading.startUnixNano());
    assertEquals(TestingDecodedPointConsumer.RECEIVED, reading.receivedAtUnixMs());
  }

  @Test
  void cumulativeSumThatMayShrinkIsALevel() {
    MetricPoint point = decode(request(sum("queue", false, CUMULATIVE, number(12)))).points.get(0);

    assertEquals(MetricKind.GAUGE, point.series().kind());
    assertEquals(Contribution.ofValue(12), point.contribution());
  }

  @Test
  void wholeNumbersAreValues() {
    NumberDataPoint.Builder point =
        NumberDataPoint.newBuilder().setTimeUnixNano(NOW_NANOS).setAsInt(-7);

    assertEquals(
        Contribution.ofValue(-7), decode(request(gauge("g", point))).points.get(0).contribution());
  }

  @Test
  void aWholeNumberThatNoDoubleHasIsTheNearestOne() {
    NumberDataPoint.Builder point =
        NumberDataPoint.newBuilder().setTimeUnixNano(NOW_NANOS).setAsInt((1L << 53) + 1);

    assertEquals(
        Contribution.ofValue(0x1p53),
        decode(request(gauge("g", point))).points.get(0).contribution());
  }

  @Test
  void summariesAreRunningTotals() {
    Metric.Builder metric =
        Metric.newBuilder()
            .setName("s")
            .setSummary(
                Summary.newBuilder()
                    .addDataPoints(
                        SummaryDataPoint.newBuilder()
                            .setTimeUnixNano(NOW_NANOS)
                            .setCount(4)
                            .setSum(10)));

    MetricPoint decoded = decode(request(metric)).points.get(0);

    assertEquals(MetricKind.SUMMARY, decoded.series().kind());
    assertEquals(10, decoded.cumulative().sum());
    assertEquals(4, decoded.cumulative().count());
  }

  @Test
  void attributesBecomeTextAndTheLastOfAKeyCounts() {
    AnyValue list =
        AnyValue.newBuilder()
            .setArrayValue(
                ArrayValue.newBuilder()
                    .addValues(AnyValue.newBuilder().setIntValue(1))
                    .addValues(AnyValue.newBuilder().setStringValue("a\"b")))
            .build();
    AnyValue map =
        AnyValue.newBuilder()
            .setKvlistValue(KeyValueList.newBuilder().addValues(text("k", "v")))
            .build();
    NumberDataPoint.Builder point =
        number(1)
            .addAttributes(text("twice", "first"))
            .addAttributes(text("twice", "second"))
            .addAttributes(any("int", AnyValue.newBuilder().setIntValue(42).build()))
            .addAttributes(any("bool", AnyValue.newBuilder().setBoolValue(true).build()))
            .addAttributes(any("double", AnyValue.newBuilder().setDoubleValue(1.5).build()))
            .addAttributes(
                any(
                    "bytes",
                    AnyValue.newBuilder()
                        .setBytesValue(ByteString.copyFrom(new byte[] {1, 2}))
                        .build()))
            .addAttributes(any("list", list))
            .addAttributes(any("map", map))
            .addAttributes(KeyValue.newBuilder().setKey("none"));

    Map<String, String> labels =
        decode(request(gauge("g", point))).points.get(0).series().attributes();

    assertEquals(
        Map.of(
            "twice", "second",
            "int", "42",
            "bool", "true",
            "double", "1.5",
            "bytes", "AQI=",
            "list", "[1,\"a\\\"b\"]",
            "map", "{\"k\":\"v\"}",
            "none", ""),
        labels);
  }

  @Test
  void noRecordedValueIsSkippedAndCounted() {
    TestingDecodedPointConsumer decoded =
        decode(request(gauge("g", number(Double.NaN).setFlags(1)), gauge("g", number(1))));

    assertEquals(1, decoded.withoutValue);
    assertEquals(1, decoded.points.size());
    assertEquals("3-77-1", decoded.points.get(0).position().toString());
    assertTrue(decoded.deadLetters.isEmpty());
  }

  @Test
  void staleMarkersAreNoRecordedValue() {
    double stale = Double.longBitsToDouble(0x7ff0_0000_0000_0002L);
    TestingDecodedPointConsumer decoded =
        decode(
            request(
                gauge("g", number(stale)),
                sum("up", true, CUMULATIVE, number(stale)),
                histogram(DELTA, observations(0).setSum(stale)),
                exponential(CUMULATIVE, exponentialPoint().setSum(stale)),
                gauge("g", number(1))));

    assertEquals(4, decoded.withoutValue);
    assertEquals(1, decoded.points.size());
    assertTrue(decoded.deadLetters.isEmpty());
  }

  @Test
  void negativeZeroIsZero() {
    TestingDecodedPointConsumer decoded =
        decode(
            request(
                gauge("g", number(-0.0)),
                sum("up", true, CUMULATIVE, number(-0.0)),
                histogram(DELTA, observations(1).setSum(-0.0).setMin(-0.0).setMax(-0.0))));

    assertEquals(Contribution.ofValue(0.0), decoded.points.get(0).contribution());
    assertEquals(0, Double.compare(0.0, decoded.points.get(1).cumulative().sum()));
    assertEquals(
        Contribution.ofObservations(1, 0.0, 0.0, 0.0), decoded.points.get(2).contribution());
  }

  @Test
  void requestWithoutPointsIsNothing() {
    TestingDecodedPointConsumer decoded = decode(new byte[0]);

    assertTrue(decoded.points.isEmpty());
    assertTrue(decoded.deadLetters.isEmpty());
  }

  /** A dead letter of the roll-up stage can be sent again and means the same. */
  @ParameterizedTest
  @EnumSource(
      value = MetricKind.class,
      names = {"GAUGE", "UPDOWN_COUNTER"},
      mode = EnumSource.Mode.EXCLUDE)
  void rebuiltReadingDecodesToItself(MetricKind kind) {
    io.tidemark.flink.model.series.SeriesDescriptor series =
        new io.tidemark.flink.model.series.SeriesDescriptor(
            "org-a", "env-a", "m", kind, "By", Map.of("service.name", "x"), Map.of("a", "b"));
    CumulativeReading reading =
        new CumulativeReading(
            NOW_NANOS - 9,
            12.5,
            kind == MetricKind.COUNTER ? 0 : 3,
            "0123456789abcdef".repeat(4),
            TestingDecodedPointConsumer.RECEIVED);

    MetricPoint point = decode(ReadingRequest.of(series, NOW_NANOS, reading)).points.get(0);

    assertEquals(series, point.series());
    assertEquals(reading, point.cumulative());
    assertEquals(NOW_NANOS, point.timeUnixNano());
  }
}
