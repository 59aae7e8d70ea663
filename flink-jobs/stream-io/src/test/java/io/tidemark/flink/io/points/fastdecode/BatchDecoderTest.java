package io.tidemark.flink.io.points.fastdecode;

import static io.tidemark.flink.io.points.OtlpRequests.exponential;
import static io.tidemark.flink.io.points.OtlpRequests.gauge;
import static io.tidemark.flink.io.points.OtlpRequests.histogram;
import static io.tidemark.flink.io.points.OtlpRequests.number;
import static io.tidemark.flink.io.points.OtlpRequests.observations;
import static io.tidemark.flink.io.points.OtlpRequests.sum;
import static io.tidemark.flink.io.points.OtlpRequests.text;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Exemplar;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Summary;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.opentelemetry.proto.resource.v1.Resource;
import io.tidemark.flink.io.points.OtlpRequests;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.decode.SentObservations;
import io.tidemark.flink.io.points.decode.SentPoint;
import io.tidemark.flink.io.points.decode.TestingDecodedPointConsumer;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.model.reject.DeadLetter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The decoder that reads in place against the one that uses the generated classes. */
class BatchDecoderTest {

  private static final int ROUNDS = 30_000;
  private static final AggregationTemporality DELTA =
      AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA;
  private static final AggregationTemporality CUMULATIVE =
      AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE;

  private final BatchDecoder decoder = new BatchDecoder(PointTimeLimits.DEFAULT);
  private final BatchDecoder keeping = new BatchDecoder(PointTimeLimits.DEFAULT, true);

  @Test
  void ordinaryBatchesAreReadInPlace() {
    byte[] batch = ordinary();

    assertSame(batch);
    assertSame(batch);

    assertEquals(2, decoder.plainBatches());
    assertEquals(12, decoder.slots().size(), "series are known by their bytes the second time");
  }

  @Test
  void labelsInAnotherOrderAreTheSameSeries() {
    assertSame(
        request(
            gauge("cpu", number(1).addAttributes(text("a", "1")).addAttributes(text("b", "2"))),
            gauge("cpu", number(2).addAttributes(text("b", "2")).addAttributes(text("a", "1"))),
            gauge("cpu", number(3).addAttributes(text("a", "0")).addAttributes(text("b", "2")))));

    assertEquals(2, decoder.slots().size());
    assertEquals(1, decoder.plainBatches());
  }

  @Test
  void staleMarkersAreSeenInPlace() {
    double stale = Double.longBitsToDouble(0x7ff0_0000_0000_0002L);

    assertSame(
        request(
            gauge("cpu", number(stale)),
            histogram(DELTA, observations(0).setSum(stale)),
            exponential(CUMULATIVE, exponentialPoint(2).setSum(stale))));

    assertEquals(1, decoder.plainBatches());
  }

  @Test
  void absurdHistogramsAreRejectedByBoth() {
    for (int scale : new int[] {-11, -10, 0, 3, 20, 21}) {
      for (int offset : new int[] {Integer.MIN_VALUE, -1, 1, 1 << 20, Integer.MAX_VALUE}) {
        ExponentialHistogramDataPoint.Builder point = exponentialPoint(scale);
        point.getPositiveBuilder().setOffset(offset);
        assertSame(request(exponential(DELTA, point)));
        point.setNegative(point.getPositive()).setCount(600);
        assertSame(request(exponential(CUMULATIVE, point)));
      }
    }
    List<Long> zeros = new ArrayList<>(Collections.nCopies(20_000, 0L));
    ExponentialHistogramDataPoint.Builder many = exponentialPoint(3);
    many.getNegativeBuilder().addAllBucketCounts(zeros);
    assertSame(request(exponential(DELTA, many)));
    assertSame(
        request(
            histogram(
                DELTA, observations(0).addAllBucketCounts(zeros).addAllExplicitBounds(bounds()))));
  }

  /** Ascending, one less than 20,000. */
  private static List<Double> bounds() {
    return IntStream.range(0, 19_999).mapToObj(i -> (double) i).toList();
  }

  @Test
  void tenantsAreKeptApart() {
    byte[] batch = request(gauge("cpu", number(1)));
    List<DeadLetter> letters = new ArrayList<>();
    decoder.decode(TestingDecodedPointConsumer.record(batch), letters::add);
    PointsRecord other = record("org-b", batch);

    PointBatch points = decoder.decode(other, letters::add);

    assertEquals(
        "org-b",
        points
            .point(0, other, TestingDecodedPointConsumer.RECEIVED, decoder.slots())
            .series()
            .organizationId());
    assertEquals(2, decoder.slots().size());
  }

  @Test
  void rejectedPointsAreReportedAsEver() {
    assertSame(request(gauge("cpu", number(1)), gauge("cpu", number(Double.NaN))));
    assertSame(request(gauge("cpu", number(1).setTimeUnixNano(1)), gauge("", number(1))));
    assertSame(request(gauge("cpu", number(1).addAttributes(text("", "x")))));
    assertSame(request(sum("s", true, DELTA, number(1)), Metric.newBuilder().setName("none")));
    assertSame(request(gauge("cpu", number(1)), histogram(DELTA, observations(-1))));
    assertSame(new byte[0]);
    assertEquals(1, decoder.plainBatches(), "the empty one");
  }

  @Test
  void recordWithoutEnvelopeIsOneDeadLetter() {
    List<DeadLetter> letters = new ArrayList<>();

    assertEquals(0, decoder.decode(record("", ordinary()), letters::add).size());

    assertEquals(1, letters.size());
  }

  @Test
  void mutatedBatchesDecodeTheSame() {
    Random random = new Random(44);
    byte[] original = ordinary();
    for (int round = 0; round < ROUNDS; round++) {
      assertSame(mutated(original, random));
    }
    // Both ways must have been taken often, or the comparison proves little.
    assertTrue(decoder.plainBatches() > ROUNDS / 10, () -> "plain " + decoder.plainBatches());
    assertTrue(decoder.plainBatches() < ROUNDS * 9 / 10, () -> "plain " + decoder.plainBatches());
  }

  /** Fields exchanged, repeated and left out, in messages of every level. */
  @Test
  void reassembledBatchesDecodeTheSame() throws Exception {
    Random random = new Random(45);
    byte[] original = ordinary();
    for (int round = 0; round < ROUNDS / 3; round++) {
      assertSame(Reassembled.of(original, random));
    }
    assertTrue(decoder.plainBatches() > 100, () -> "plain " + decoder.plainBatches());
  }

  @Test
  void forgettingChangesNothing() {
    assertSame(ordinary());
    decoder.forget();
    assertEquals(0, decoder.slots().size());
    assertSame(ordinary());
    assertEquals(2, decoder.plainBatches());
  }

  private void assertSame(byte[] value) {
    TestingDecodedPointConsumer expected = TestingDecodedPointConsumer.decode(value);
    assertSame(expected, decoder, value);
    assertSame(expected, keeping, value);
  }

  private static void assertSame(
      TestingDecodedPointConsumer expected, BatchDecoder decoder, byte[] value) {
    PointsRecord record = TestingDecodedPointConsumer.record(value);
    List<DeadLetter> letters = new ArrayList<>();

    PointBatch batch = decoder.decode(record, letters::add);

    List<MetricPoint> points = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      points.add(batch.point(i, record, TestingDecodedPointConsumer.RECEIVED, decoder.slots()));
    }
    assertEquals(expected.points, points, () -> Arrays.toString(value));
    for (int i = 0; i < points.size(); i++) {
      assertEquals(expected.points.get(i).key(), points.get(i).key());
    }
    if (batch.sent() != null) {
      assertSameAsSent(expected.sent, batch);
    }
    assertEquals(expected.withoutValue, batch.withoutValue());
    assertEquals(expected.deadLetters.size(), letters.size());
    for (int i = 0; i < letters.size(); i++) {
      DeadLetter wanted = expected.deadLetters.get(i);
      DeadLetter letter = letters.get(i);
      assertEquals(wanted.reason(), letter.reason());
      assertEquals(wanted.detail(), letter.detail());
      assertEquals(wanted.pointCount(), letter.pointCount());
      assertArrayEquals(wanted.original(), letter.original());
    }
  }

  private static void assertSameAsSent(List<SentPoint> expected, PointBatch batch) {
    SentPoints sent = batch.sent();
    assertEquals(expected.size(), batch.size());
    for (int i = 0; i < expected.size(); i++) {
      SentPoint point = expected.get(i);
      assertEquals(point.temporality(), sent.temporality(i));
      assertEquals(point.startUnixNano(), sent.startUnixNano(i));
      assertEquals(point.flags(), sent.flags(i));
      assertEquals(point.isInt(), sent.isInt(i));
      assertEquals(point.valueBits(), sent.valueBits(i));
      SentObservations observations = point.observations();
      assertEquals(observations == null, sent.observations(i) == null);
      if (observations != null) {
        assertEquals(observations.count(), sent.observations(i).count());
        assertArrayEquals(observations.bucketCounts(), sent.observations(i).bucketCounts());
        assertArrayEquals(observations.explicitBounds(), sent.observations(i).explicitBounds());
      }
    }
  }

  /** Every kind of metric, several resources, scopes, exemplars, flags and schema addresses. */
  private static byte[] ordinary() {
    ScopeMetrics.Builder scope =
        ScopeMetrics.newBuilder()
            .setScope(InstrumentationScope.newBuilder().setName("lib").setVersion("1"))
            .setSchemaUrl("urn:schema")
            .addMetrics(
                gauge(
                        "cpu",
                        number(0.5)
                            .addAttributes(text("zone", "1"))
                            .addExemplars(Exemplar.newBuilder().setAsDouble(1)))
                    .setDescription("used")
                    .setUnit("1"))
            .addMetrics(gauge("none", number(1).setFlags(1)))
            .addMetrics(sum("requests", true, DELTA, number(-0.0)))
            .addMetrics(sum("bytes", true, CUMULATIVE, number(7).setStartTimeUnixNano(5)))
            .addMetrics(sum("queue", false, CUMULATIVE, number(12)))
            .addMetrics(sum("moves", false, DELTA, number(1).clearAsDouble().setAsInt(-3)))
            .addMetrics(
                histogram(
                    DELTA,
                    observations(3)
                        .setSum(2)
                        .addBucketCounts(1)
                        .addBucketCounts(2)
                        .addExplicitBounds(1)))
            .addMetrics(
                Metric.newBuilder()
                    .setName("s")
                    .setSummary(
                        Summary.newBuilder()
                            .addDataPoints(
                                SummaryDataPoint.newBuilder()
                                    .setTimeUnixNano(TestingDecodedPointConsumer.NOW_NANOS)
                                    .setCount(4)
                                    .setSum(10))))
            .addMetrics(
                histogram(
                    CUMULATIVE,
                    observations(5)
                        .addAttributes(text("zone", "2"))
                        .setStartTimeUnixNano(7)
                        .addAllBucketCounts(List.of(1L, 0L, 4L))
                        .addAllExplicitBounds(List.of(-1.0, 250.0))
                        .addExemplars(Exemplar.newBuilder().setAsDouble(1))))
            .addMetrics(exponential(DELTA, exponentialPoint(9)))
            .addMetrics(exponential(CUMULATIVE, exponentialPoint(1).addAttributes(text("a", "b"))));
    return ExportMetricsServiceRequest.newBuilder()
        .addResourceMetrics(
            ResourceMetrics.newBuilder()
                .setResource(Resource.newBuilder().addAttributes(text("service.name", "shop")))
                .addScopeMetrics(scope)
                .setSchemaUrl("urn:schema"))
        .addResourceMetrics(
            ResourceMetrics.newBuilder()
                .addScopeMetrics(ScopeMetrics.newBuilder().addMetrics(gauge("cpu", number(2)))))
        .build()
        .toByteArray();
  }

  private static ExponentialHistogramDataPoint.Builder exponentialPoint(int scale) {
    ExponentialHistogramDataPoint.Builder point =
        OtlpRequests.exponentialPoint()
            .addAttributes(text("zone", "3"))
            .setCount(400)
            .setSum(-1.5)
            .setScale(scale)
            .setZeroCount(1)
            .setMin(-0.0)
            .setMax(3)
            .setZeroThreshold(0.25)
            .addExemplars(Exemplar.newBuilder().setAsInt(1));
    point.getPositiveBuilder().setOffset(-3).addBucketCounts(2).addBucketCounts(0);
    point.getPositiveBuilder().addBucketCounts(297);
    point.getNegativeBuilder().setOffset(200).addBucketCounts(100);
    return point;
  }

  @Test
  void pointsAreKeptAsSentOnRequestOnly() {
    byte[] batch = ordinary();
    PointBatch kept = keeping.decode(TestingDecodedPointConsumer.record(batch), letter -> {});
    SentPoints sent = kept.sent();

    assertEquals(11, kept.size());
    assertEquals(SentPoint.Temporality.INSTANT, sent.temporality(0));
    assertEquals(SentPoint.Temporality.DELTA, sent.temporality(1));
    assertEquals(Double.doubleToRawLongBits(-0.0), sent.valueBits(1), "the sign of zero");
    assertEquals(5, sent.startUnixNano(2));
    assertEquals(SentPoint.Temporality.CUMULATIVE, sent.temporality(3), "a level, sent as total");
    assertTrue(sent.isInt(4));
    assertEquals(-3, sent.valueBits(4));
    assertArrayEquals(new long[] {1, 2}, sent.observations(5).bucketCounts());
    assertArrayEquals(new double[] {1}, sent.observations(5).explicitBounds());
    assertEquals(4, sent.observations(6).count());
    assertNull(
        new BatchDecoder(PointTimeLimits.DEFAULT)
            .decode(TestingDecodedPointConsumer.record(batch), letter -> {})
            .sent());
  }

  private static byte[] request(Metric.Builder... metrics) {
    return OtlpRequests.request(metrics);
  }

  private static PointsRecord record(String organization, byte[] value) {
    PointsRecord record = TestingDecodedPointConsumer.record(value);
    return new PointsRecord(
        record.topic(),
        record.partition(),
        record.offset(),
        organization,
        record.environmentId(),
        record.batchId(),
        record.receivedAt(),
        record.eventTimeMs(),
        value);
  }

  private static byte[] mutated(byte[] original, Random random) {
    byte[] bytes = original.clone();
    int changes = 1 + random.nextInt(2);
    for (int change = 0; change < changes; change++) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(8)) {
        case 0 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        case 1 -> {
          byte[] longer = new byte[bytes.length + 1];
          System.arraycopy(bytes, 0, longer, 0, at);
          longer[at] = (byte) random.nextInt(256);
          System.arraycopy(bytes, at, longer, at + 1, bytes.length - at);
          bytes = longer;
        }
        case 2, 3, 4 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        default -> bytes[at] = (byte) random.nextInt(256);
      }
    }
    return bytes;
  }
}
