package io.tidemark.flink.usage.operator;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.tidemark.flink.io.admission.AdmittedBatch;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.budget.PlanDefaults;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.testing.TestBatch;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BatchMeterTest {

  private static final long A_MONTH = 31L * 24 * 3_600_000;

  private OneInputStreamOperatorTestHarness<AdmittedBatch, UsageIncrement> meter;

  @BeforeEach
  void open() throws Exception {
    OneInputStreamOperator<AdmittedBatch, UsageIncrement> operator =
        new BatchMeter(PointTimeLimits.DEFAULT);
    meter = new OneInputStreamOperatorTestHarness<>(operator);
    meter.open();
  }

  @AfterEach
  void close() throws Exception {
    meter.close();
  }

  private void send(PointsRecord record) throws Exception {
    meter.processElement(new AdmittedBatch(record, PlanDefaults.LIMITS, A_MONTH), 0);
  }

  private List<UsageIncrement> metered() throws Exception {
    meter.prepareSnapshotPreBarrier(1);
    List<UsageIncrement> increments = meter.extractOutputValues();
    meter.getOutput().clear();
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
    assertTrue(meter.extractOutputValues().isEmpty(), "nothing before the barrier");

    List<UsageIncrement> metered = metered();

    Map<String, Long> points = new TreeMap<>();
    metered.forEach(one -> points.merge(one.metric(), one.points(), Long::sum));
    assertEquals(Map.of("cpu", 3L, "memory", 1L), points);
    assertEquals(
        first.value().length + second.value().length,
        metered.stream().mapToLong(UsageIncrement::bytes).sum());
    for (UsageIncrement one : metered) {
      assertEquals("org-a", one.organizationId());
      assertEquals("env-a", one.environmentId());
      assertEquals("service", one.resourceType());
      assertEquals("shop", one.resourceId());
      assertEquals(at("12:00:00"), one.hourUnixMs());
      assertEquals(7, one.offset(), "the first batch");
    }
    assertTrue(metered().isEmpty(), "nothing is held over a barrier");
  }

  @Test
  void theHourIsThatOfTheReceiptWheneverAPointWasMeasured() throws Exception {
    send(new TestBatch().gauge("cpu", "08:00:00", 1).received("org-a", 1, "12:59:59"));
    send(new TestBatch().gauge("cpu", "08:00:00", 2).received("org-a", 2, "13:00:00"));

    assertEquals(
        List.of(at("12:00:00"), at("13:00:00")),
        metered().stream().map(UsageIncrement::hourUnixMs).toList());
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

    List<UsageIncrement> metered = metered();

    assertEquals(2, metered.size());
    UsageIncrement billed = metered.get(0);
    assertEquals("cpu", billed.metric());
    assertEquals(1, billed.points());
    assertEquals(record.value().length / 3, billed.bytes(), 1);
    UsageIncrement aside = metered.get(1);
    assertEquals("", aside.metric());
    assertEquals(0, aside.points());
    assertEquals(0, aside.bytes());
    assertEquals(1, aside.pointsSetAside());
    assertEquals(1, aside.pointsWithoutValue());
  }

  @Test
  void aBatchWithoutATenantIsNobodysUse() throws Exception {
    send(
        TestBatch.read(
            new ConsumerRecord<>(
                "points", 0, 9, new byte[0], new TestBatch().gauge("cpu", "12:00:00", 1).bytes())));

    assertTrue(metered().isEmpty());
  }
}
