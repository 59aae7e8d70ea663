package io.tidemark.pipeline.lake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.DruidRows;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.OtlpSender.Point;
import io.tidemark.pipeline.support.RowFigures;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the lake keeps rolls up to what is served; a row that nobody sent is found and named. */
@ExtendWith(RunningStack.class)
@Order(3)
class ReplayIT {
  private static final Duration PATIENCE = Duration.ofSeconds(300);
  private static final String TENANT = "org-other";
  private static final String METRIC = "replay.requests";
  private static final int DIFFERENT = 4;

  private final RunningStack.Started stack = RunningStack.get();
  private int version;

  /** Exit code and all that was said. */
  private record Outcome(int exit, String said) {}

  @Test
  void replayEqualsLiveRowsUntilOneIsTamperedWith() throws Exception {
    Instant from = Instant.now().truncatedTo(ChronoUnit.DAYS).minus(6, ChronoUnit.DAYS);
    Instant to = from.plus(1, ChronoUnit.DAYS);
    OtlpSender sender =
        new OtlpSender(stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(TENANT));
    for (int batch = 0; batch < 5; batch++) {
      List<Point> points = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        Instant time = from.plusSeconds((batch * 20_011L + i * 977L) % 86_400);
        points.add(new Point(METRIC, Map.of("host", "h" + i % 3), time, 1 + batch * 100L + i));
      }
      ExportMetricsServiceRequest.Builder request =
          OtlpSender.batch("replayed", points).toBuilder();
      request
          .getResourceMetricsBuilder(0)
          .getScopeMetricsBuilder(0)
          .addMetrics(latency(from.plusSeconds(batch * 20_011L), 18 + batch / 2));
      byte[] body = request.build().toByteArray();
      assertThat(sender.send(body).statusCode()).isEqualTo(200);
      assertThat(sender.send(body).statusCode()).as("the same batch again").isEqualTo(200);
    }
    DruidRows druid = new DruidRows(stack.coordinates().get("TIDEMARK_DRUID"));
    Await.until(
        "the day's row is there",
        PATIENCE,
        () ->
            druid.figures("rollup_1d", "day", METRIC, "", from, to).values().stream()
                .mapToLong(RowFigures::count)
                .sum(),
        count -> count == 200);

    Outcome equal =
        Await.until(
            "all is equal",
            PATIENCE,
            Await.LONG_PAUSE,
            () -> replay(from, to),
            told -> told.exit() == 0);

    assertThat(equal.said()).contains("Iceberg: ", "Druid: ", "Equal.");

    sendRowThatNobodyCounted(from, "telemetry.rollup-1m.v1");
    sendRowThatNobodyCounted(from, "telemetry.rollup-1m-hc.v1");
    Outcome different =
        Await.until(
            "both rows are found in Iceberg and in Druid",
            PATIENCE,
            Await.LONG_PAUSE,
            () -> replay(from, to),
            told -> told.exit() == DIFFERENT && told.said().split(METRIC, -1).length > 4);

    assertThat(different.said())
        .contains("1m " + from, "1m-hc " + from, "count live 1", "replayed none", "Different.");
  }

  /** One observation in a bucket; batches share some, so that Druid adds rows up. */
  private static Metric latency(Instant time, int bucket) {
    return Metric.newBuilder()
        .setName(METRIC + ".latency")
        .setUnit("ms")
        .setExponentialHistogram(
            ExponentialHistogram.newBuilder()
                .setAggregationTemporality(AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA)
                .addDataPoints(
                    ExponentialHistogramDataPoint.newBuilder()
                        .setStartTimeUnixNano(nanos(time.minusSeconds(10)))
                        .setTimeUnixNano(nanos(time))
                        .setCount(1)
                        .setSum(5)
                        .setScale(3)
                        .setPositive(
                            ExponentialHistogramDataPoint.Buckets.newBuilder()
                                .setOffset(bucket)
                                .addBucketCounts(1))))
        .build();
  }

  private static long nanos(Instant time) {
    return TimeUnit.SECONDS.toNanos(time.getEpochSecond());
  }

  private Outcome replay(Instant from, Instant to) throws Exception {
    Path said = Files.createTempFile("replay", ".log");
    Process process =
        stack
            .stack()
            .replay(TENANT, from.toString(), to.toString(), "it-" + ++version)
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    int exit = process.waitFor();
    String text = Files.readString(said);
    Files.delete(said);
    return new Outcome(exit, text);
  }

  /** In a topic that only the rollup job writes to; of a minute in which nothing was sent. */
  private void sendRowThatNobodyCounted(Instant window, String topic) throws Exception {
    ObjectNode row = JsonHttp.JSON.createObjectNode();
    row.put("timestamp", window.toEpochMilli());
    row.put("organization_id", TENANT).put("environment_id", "env-other");
    row.put("metric", METRIC).put("metric_type", "counter").put("unit", "1");
    row.put("resource_type", "service").put("resource_id", "replayed");
    row.put("series_id", "f".repeat(32)).put("resource.service.id", "replayed");
    row.put("sum", 1.5).put("count", 1).put("min", 1.5).put("max", 1.5).put("last", 1.5);
    row.put("last_timestamp", window.toEpochMilli());
    row.put("pane_id", "f".repeat(32) + "-" + window.toEpochMilli() + "-0");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", stack.coordinates().get("TIDEMARK_KAFKA"), "acks", "all"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(topic, row.toString().getBytes(UTF_8))).get();
    }
  }
}
