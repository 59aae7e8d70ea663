package io.tidemark.flink.rollup.operator;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.resource.v1.Resource;
import io.tidemark.flink.io.admission.AdmittedBatch;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.decode.DecodedPointConsumer;
import io.tidemark.flink.io.points.decode.OtlpDecoder;
import io.tidemark.flink.io.usage.CountedIncrement;
import io.tidemark.flink.io.usage.EncodedIncrements;
import io.tidemark.flink.model.budget.PlanDefaults;
import io.tidemark.flink.model.budget.TenantLimits;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.usage.ByteShares;
import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.UsageHour;
import io.tidemark.flink.model.usage.UsageSubject;
import io.tidemark.flink.testing.TestBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What CombineOperator tells of batches to who bills them. */
class PointMeterTest {

  private static final long A_MONTH = 31L * 24 * 3_600_000;

  /** Series beyond are folded, and their points are points of their own metrics all the same. */
  private static final TenantLimits FEW = new TenantLimits(10, 1_000, 64, 64, 64);

  private OneInputStreamOperatorTestHarness<AdmittedBatch, byte[]> meter;

  @BeforeEach
  void open() throws Exception {
    meter = harness(true);
    meter.open();
    meter.setProcessingTime(at("12:00:00"));
  }

  private static OneInputStreamOperatorTestHarness<AdmittedBatch, byte[]> harness(boolean isMetered)
      throws Exception {
    return new OneInputStreamOperatorTestHarness<>(
        new CombineOperator(
                PointTimeLimits.DEFAULT, Duration.ofSeconds(5), Duration.ofSeconds(5), 128)
            .withMetering(isMetered));
  }

  @AfterEach
  void close() throws Exception {
    meter.close();
  }

  private void send(PointsRecord record) throws Exception {
    TenantLimits limits = record.organizationId().equals("org-b") ? FEW : PlanDefaults.LIMITS;
    meter.processElement(new AdmittedBatch(record, limits, A_MONTH), 0);
  }

  private List<CountedIncrement> metered() throws Exception {
    meter.prepareSnapshotPreBarrier(1);
    return told();
  }

  private List<CountedIncrement> told() {
    List<CountedIncrement> increments = new ArrayList<>();
    Queue<StreamRecord<EncodedIncrements>> told = meter.getSideOutput(IncrementOutput.TAG);
    while (told != null && !told.isEmpty()) {
      increments.addAll(CountedIncrement.of(told.remove().getValue().increments()));
    }
    return increments;
  }

  @Test
  void pointsOfAMetricAddUpUntilTheBarrierAndBytesAreThoseOfTheBatches() throws Exception {
    PointsRecord first =
        new TestBatch()
            .gauge("cpu", "12:00:00", 1)
            .gauge("cpu", "12:00:10", 2)
            .gauge("memory", "12:00:10", 3)
            .received("org-a", 7, "12:00:11");
    PointsRecord second =
        new TestBatch().gauge("cpu", "12:00:20", 1).received("org-a", 8, "12:59:59");
    send(first);
    send(second);
    assertTrue(told().isEmpty(), "nothing before the barrier");

    List<CountedIncrement> metered = metered();

    Map<String, Long> points = new TreeMap<>();
    metered.forEach(
        one -> points.merge(one.hour().subject().metric(), one.points().points(), Long::sum));
    assertEquals(Map.of("cpu", 3L, "memory", 1L), points);
    assertEquals(
        first.value().length + second.value().length,
        metered.stream().mapToLong(one -> one.points().bytes()).sum());
    for (CountedIncrement one : metered) {
      UsageSubject subject = one.hour().subject();
      assertEquals("org-a", subject.organizationId());
      assertEquals("env-a", subject.environmentId());
      assertEquals("service", subject.resourceType());
      assertEquals("shop", subject.resourceId());
      assertEquals(at("12:00:00"), one.hour().startUnixMs());
    }
    assertTrue(metered().isEmpty(), "nothing is held over a barrier");
  }

  @Test
  void theHourIsThatOfTheReceiptWheneverAPointWasMeasured() throws Exception {
    send(new TestBatch().gauge("cpu", "08:00:00", 1).received("org-a", 1, "12:59:59"));
    send(new TestBatch().gauge("cpu", "08:00:00", 2).received("org-a", 2, "13:00:00"));

    assertEquals(
        List.of(at("12:00:00"), at("13:00:00")),
        metered().stream().map(one -> one.hour().startUnixMs()).toList());
  }

  @Test
  void whatIsSetAsideIsCountedBesideAndNotBilled() throws Exception {
    PointsRecord record =
        new TestBatch()
            .add(
                Metric.newBuilder()
                    .setName("cpu")
                    .setGauge(
                        Gauge.newBuilder()
                            .addDataPoints(TestBatch.number("12:00:00", Double.NaN))
                            .addDataPoints(TestBatch.number("12:00:00", 1))
                            .addDataPoints(TestBatch.number("12:00:10", 0).setFlags(1))))
            .received("org-a", 1, "12:00:11");
    send(record);

    List<CountedIncrement> metered = metered();

    assertEquals(2, metered.size());
    assertEquals("cpu", metered.get(0).hour().subject().metric());
    assertEquals(1, metered.get(0).points().points());
    assertEquals(record.value().length / 3, metered.get(0).points().bytes(), 1);
    assertEquals(UsageSubject.ofEnvironment("org-a", "env-a"), metered.get(1).hour().subject());
    assertEquals(new MeteredUnits(0, 0, 1, 1), metered.get(1).points());
  }

  /** The series is too long for a row; the batch was taken, and is in the lake. */
  @Test
  void whatIsSetAsideAfterDecodingIsBilled() throws Exception {
    send(
        new TestBatch()
            .add(
                Metric.newBuilder()
                    .setName("long")
                    .setGauge(
                        Gauge.newBuilder()
                            .addDataPoints(
                                TestBatch.number("12:00:01", 1)
                                    .addAttributes(
                                        TestBatch.attribute("text", "x".repeat(600_000))))))
            .received("org-a", 1, "12:00:11"));

    List<CountedIncrement> metered = metered();

    assertEquals(1, metered.size());
    assertEquals(1, metered.get(0).points().points());
    assertEquals(0, metered.get(0).points().pointsSetAside());
  }

  /** Without an end of input nobody would tell of the last batches. */
  @Test
  void theEndOfInputIsTold() throws Exception {
    send(new TestBatch().gauge("cpu", "12:00:00", 1).received("org-a", 1, "12:00:11"));

    meter.endInput();

    assertEquals(1, told().get(0).points().points());
  }

  /** A barrier that was not committed is followed by the same batches. */
  @Test
  void aRestartCountsWhatItReadsAndNothingElse() throws Exception {
    PointsRecord record =
        new TestBatch().gauge("cpu", "12:00:00", 1).received("org-a", 1, "12:00:11");
    send(record);
    OperatorSubtaskState snapshot = meter.snapshot(1, 1);
    send(record);
    meter.close();
    meter = harness(true);
    meter.initializeState(snapshot);
    meter.open();
    send(record);

    assertEquals(List.of(1L), metered().stream().map(one -> one.points().points()).toList());
  }

  @Test
  void whoRollsUpAgainDoesNotMeter() throws Exception {
    meter.close();
    meter = harness(false);
    meter.open();
    send(new TestBatch().gauge("cpu", "12:00:00", 1).received("org-a", 1, "12:00:11"));

    assertTrue(metered().isEmpty());
  }

  @Test
  void aBatchWithoutATenantIsNobodysUse() throws Exception {
    send(
        TestBatch.read(
            new ConsumerRecord<>(
                "points", 0, 9, new byte[0], new TestBatch().gauge("cpu", "12:00:00", 1).bytes())));

    assertTrue(metered().isEmpty());
  }

  /** The same sums, point by point by the decoder that uses the generated classes. */
  private static final class PointByPoint implements DecodedPointConsumer {
    private final Map<UsageHour, MeteredUnits> units = new HashMap<>();
    private Map<UsageSubject, Long> counts = new LinkedHashMap<>();
    private long setAside;
    private long withoutValue;

    void add(PointsRecord record) {
      counts = new LinkedHashMap<>();
      setAside = 0;
      withoutValue = 0;
      new OtlpDecoder(PointTimeLimits.DEFAULT.upTo(A_MONTH)).decode(record, this);
      List<UsageSubject> subjects = List.copyOf(counts.keySet());
      long[] points = new long[subjects.size() + 1];
      for (int i = 0; i < subjects.size(); i++) {
        points[i] = counts.get(subjects.get(i));
      }
      points[subjects.size()] = setAside + withoutValue;
      long[] bytes = ByteShares.of(record.value().length, points, points.length);
      long receivedAt = Long.parseLong(record.receivedAt());
      for (int i = 0; i < subjects.size(); i++) {
        units.merge(
            UsageHour.at(subjects.get(i), receivedAt),
            new MeteredUnits(points[i], bytes[i], 0, 0),
            MeteredUnits::plus);
      }
      if (setAside + withoutValue > 0) {
        units.merge(
            UsageHour.at(
                UsageSubject.ofEnvironment(record.organizationId(), record.environmentId()),
                receivedAt),
            new MeteredUnits(0, 0, setAside, withoutValue),
            MeteredUnits::plus);
      }
    }

    @Override
    public void point(MetricPoint point) {
      SeriesDescriptor series = point.series();
      counts.merge(
          new UsageSubject(
              series.organizationId(),
              series.environmentId(),
              series.resourceType(),
              series.resourceId(),
              series.metric()),
          1L,
          Long::sum);
    }

    @Override
    public void deadLetter(DeadLetter letter) {
      setAside += letter.pointCount();
    }

    @Override
    public void noRecordedValue() {
      withoutValue++;
    }
  }

  @Test
  void generatedBatchesAreMeteredAsPointByPoint() throws Exception {
    Random random = new Random(84);
    PointByPoint expected = new PointByPoint();
    Map<UsageHour, MeteredUnits> metered = new HashMap<>();
    for (int offset = 0; offset < 3_000; offset++) {
      byte[] batch = batch(random);
      if (random.nextInt(3) == 0) {
        batch = damaged(batch, random);
      }
      PointsRecord record =
          TestBatch.record(
              random.nextBoolean() ? "org-a" : "org-b",
              offset,
              random.nextBoolean() ? "12:59:59" : "13:00:00",
              batch);
      expected.add(record);
      send(record);
      if (offset % 500 == 499) {
        metered().forEach(one -> metered.merge(one.hour(), one.points(), MeteredUnits::plus));
      }
    }

    assertEquals(expected.units, metered);
    MeteredUnits all = metered.values().stream().reduce(MeteredUnits.NONE, MeteredUnits::plus);
    assertTrue(all.points() > 50_000, all::toString);
    assertTrue(all.pointsSetAside() > 1_000 && all.pointsWithoutValue() > 1_000, all::toString);
  }

  /** Of some resources and a hundred metrics; a few points in a thousand are of no use. */
  private static byte[] batch(Random random) {
    boolean isClean = random.nextBoolean();
    ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
    for (int resource = random.nextInt(3); resource >= 0; resource--) {
      ScopeMetrics.Builder scope = ScopeMetrics.newBuilder();
      for (int metric = random.nextInt(8); metric >= 0; metric--) {
        scope.addMetrics(metric(random, isClean));
      }
      request.addResourceMetrics(
          ResourceMetrics.newBuilder()
              .setResource(
                  Resource.newBuilder()
                      .addAttributes(
                          TestBatch.attribute("service.name", "shop-" + random.nextInt(4))))
              .addScopeMetrics(scope));
    }
    return request.build().toByteArray();
  }

  private static Metric.Builder metric(Random random, boolean isClean) {
    Metric.Builder metric = Metric.newBuilder().setName("metric." + random.nextInt(100));
    int points = random.nextInt(8);
    if (random.nextInt(4) > 0) {
      Gauge.Builder gauge = Gauge.newBuilder();
      for (int i = 0; i < points; i++) {
        NumberDataPoint.Builder point =
            TestBatch.number("12:00:00", i)
                .addAttributes(TestBatch.attribute("partition", "p" + random.nextInt(30)));
        switch (isClean ? -1 : random.nextInt(40)) {
          case 0 -> point.setAsDouble(Double.NaN);
          case 1 -> point.setTimeUnixNano(0);
          case 2 -> point.addAttributes(TestBatch.attribute("", "x"));
          default -> point.setFlags(random.nextInt(20) == 0 ? 1 : 0);
        }
        gauge.addDataPoints(point);
      }
      return metric.setGauge(gauge);
    }
    Histogram.Builder histogram =
        Histogram.newBuilder()
            .setAggregationTemporality(AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA);
    for (int i = 0; i < points; i++) {
      histogram.addDataPoints(
          HistogramDataPoint.newBuilder()
              .setTimeUnixNano(TestBatch.number("12:00:00", 0).getTimeUnixNano())
              .setCount(isClean ? 3 : 3 + random.nextInt(20) / 19)
              .setSum(i)
              .addAllBucketCounts(List.of(1L, 2L))
              .addExplicitBounds(5)
              .addAttributes(TestBatch.attribute("partition", "p" + random.nextInt(30))));
    }
    return metric.setHistogram(histogram);
  }

  private static byte[] damaged(byte[] batch, Random random) {
    if (batch.length == 0) {
      return batch;
    }
    byte[] bytes = batch.clone();
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(4)) {
      case 0 -> bytes = Arrays.copyOf(bytes, at);
      case 1 -> bytes[at] = (byte) random.nextInt(256);
      default -> bytes[at] ^= (byte) (1 << random.nextInt(8));
    }
    return bytes;
  }
}
