package io.tidemark.flink.io.points.source;

import static io.tidemark.flink.io.points.OtlpRequests.gauge;
import static io.tidemark.flink.io.points.OtlpRequests.histogram;
import static io.tidemark.flink.io.points.OtlpRequests.number;
import static io.tidemark.flink.io.points.OtlpRequests.observations;
import static io.tidemark.flink.io.points.OtlpRequests.request;
import static io.tidemark.flink.io.points.OtlpRequests.sum;
import static io.tidemark.flink.io.points.OtlpRequests.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.tidemark.flink.io.points.decode.TestingDecodedPointConsumer;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.rollup.Contribution;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Mutated and random bytes, from a fixed seed: never an exception, never a lost point. */
class HostileBytesTest {

  private static final int ROUNDS = 20_000;

  private static final byte[] ORIGINAL =
      request(
          gauge("cpu", number(0.5).addAttributes(text("zone", "1"))),
          sum(
              "requests",
              true,
              AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE,
              number(7).setStartTimeUnixNano(5)),
          histogram(
              AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA,
              observations(3).setSum(2).addBucketCounts(1).addBucketCounts(2).addExplicitBounds(1)),
          gauge("none", number(1).setFlags(1)));

  @Test
  void mutatedBatchesAreAccountedFor() throws Exception {
    Random random = new Random(42);
    int undecodable = 0;
    int partly = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = mutated(random);

      TestingDecodedPointConsumer decoded = TestingDecodedPointConsumer.decode(bytes);
      long latest = LatestPointTime.of(bytes);
      assertEquals(LatestPointTime.ofAnyForm(bytes), latest);

      long sent = pointsIn(bytes);
      if (sent < 0) {
        undecodable++;
        assertTrue(decoded.points.isEmpty());
        assertEquals(1, decoded.deadLetters.size());
      } else {
        long rejected = decoded.deadLetters.stream().mapToLong(DeadLetter::pointCount).sum();
        assertEquals(sent, decoded.points.size() + rejected + decoded.withoutValue);
        partly += rejected > 0 ? 1 : 0;
      }
      for (MetricPoint point : decoded.points) {
        assertUsable(point);
        assertTrue(point.timeUnixNano() <= latest, "the watermark sees every point");
      }
    }
    // The generator reaches all branches; otherwise the assertions above prove little.
    assertTrue(undecodable > ROUNDS / 20, () -> "undecodable");
    assertTrue(partly > ROUNDS / 100, () -> "partly rejected");
  }

  @Test
  void randomBytesAreAccountedFor() {
    Random random = new Random(43);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = new byte[random.nextInt(64)];
      random.nextBytes(bytes);
      TestingDecodedPointConsumer decoded = TestingDecodedPointConsumer.decode(bytes);
      assertTrue(decoded.points.isEmpty());
      assertEquals(LatestPointTime.ofAnyForm(bytes), LatestPointTime.of(bytes));
    }
  }

  /** Groups and messages nested deeper than any stack. */
  @Test
  void deepNestingIsUndecodable() {
    byte[] groups = new byte[1_000_000];
    Arrays.fill(groups, (byte) 0x0b);

    assertEquals(1, TestingDecodedPointConsumer.decode(groups).deadLetters.size());
    assertEquals(0, LatestPointTime.of(groups));
  }

  @Test
  void latestTimeIsTheGreatestOfAllKinds() {
    assertEquals(TestingDecodedPointConsumer.NOW_NANOS, LatestPointTime.of(ORIGINAL));
    assertEquals(
        TestingDecodedPointConsumer.NOW_NANOS + 5,
        LatestPointTime.of(
            request(
                gauge("a", number(1)),
                histogram(
                    AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA,
                    observations(1).setTimeUnixNano(TestingDecodedPointConsumer.NOW_NANOS + 5)))));
    assertEquals(0, LatestPointTime.of(new byte[0]));
  }

  /** A clock that runs ahead moves the watermark no further than the gateway's clock. */
  @Test
  void eventTimeIsAtMostTheReceipt() {
    byte[] ahead = request(gauge("a", number(1).setTimeUnixNano(Long.MAX_VALUE)));
    byte[] behind = request(gauge("a", number(1).setTimeUnixNano(5_000_000)));

    assertEquals(1_000, PointsRecordReader.eventTimeMs(ahead, 1_000));
    assertEquals(5, PointsRecordReader.eventTimeMs(behind, 1_000));
    assertEquals(0, PointsRecordReader.eventTimeMs(ahead, 0));
  }

  private static void assertUsable(MetricPoint point) {
    assertTrue(!point.series().metric().isEmpty());
    assertTrue((point.contribution() == null) != (point.cumulative() == null));
    Contribution contribution = point.contribution();
    if (contribution != null) {
      for (double figure :
          new double[] {
            contribution.sum(), contribution.min(), contribution.max(), contribution.last()
          }) {
        assertTrue(!Double.isInfinite(figure));
      }
      assertTrue(contribution.count() >= 0);
    }
  }

  private static byte[] mutated(Random random) {
    byte[] bytes = ORIGINAL.clone();
    int changes = 1 + random.nextInt(3);
    for (int change = 0; change < changes; change++) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt(256);
        case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        default -> {
          byte[] longer = new byte[bytes.length + 1];
          System.arraycopy(bytes, 0, longer, 0, at);
          longer[at] = (byte) random.nextInt(256);
          System.arraycopy(bytes, at, longer, at + 1, bytes.length - at);
          bytes = longer;
        }
      }
    }
    return bytes;
  }

  /** Points in the request, counted apart from the decoder; -1 when it is no request. */
  private static long pointsIn(byte[] bytes) {
    try {
      return ExportMetricsServiceRequest.parseFrom(bytes).getResourceMetricsList().stream()
          .flatMap(resource -> resource.getScopeMetricsList().stream())
          .flatMap(scope -> scope.getMetricsList().stream())
          .mapToLong(HostileBytesTest::pointsIn)
          .sum();
    } catch (InvalidProtocolBufferException e) {
      return -1;
    }
  }

  private static long pointsIn(Metric metric) {
    return (long) metric.getGauge().getDataPointsCount()
        + metric.getSum().getDataPointsCount()
        + metric.getHistogram().getDataPointsCount()
        + metric.getExponentialHistogram().getDataPointsCount()
        + metric.getSummary().getDataPointsCount();
  }
}
