package io.tidemark.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.MetricsQuery.Bucket;
import io.tidemark.stack.JsonHttp;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The stack watches itself: live metrics of its own Kafka, Flink and API, labelled by topic,
 * partition and task.
 */
@ExtendWith(RunningStack.class)
class SelfTelemetryIT {
  private static final Duration PATIENCE = Duration.ofSeconds(150);

  private final RunningStack.Started stack = RunningStack.get();
  private final MetricsQuery demo =
      new MetricsQuery(stack.coordinates().get("TIDEMARK_URL"), stack.authorization("org-demo"));

  @Test
  void brokerReportsPerTopicAndPerPartition() throws Exception {
    String cluster = stack.coordinates().get("TIDEMARK_KAFKA_CLUSTER_ID");
    TreeMap<Bucket, Double> topics =
        awaitGroups(
            "kafka.topic.messages", "SUM", "resource.kafka.id", cluster, List.of("metric.topic"));
    assertThat(topics.keySet()).extracting(Bucket::group).contains("telemetry.points.v1");
    TreeMap<Bucket, Double> partitions =
        awaitGroups(
            "kafka.partition.end_offset",
            "MAX",
            "resource.kafka.id",
            cluster,
            List.of("metric.topic", "metric.partition"));
    assertThat(partitions.keySet())
        .extracting(Bucket::group)
        .contains(
            "telemetry.points.v1/0",
            "telemetry.points.v1/1",
            "telemetry.points.v1/2",
            "telemetry.points.v1/3");
  }

  @Test
  void flinkReportsItsTasks() throws Exception {
    TreeMap<Bucket, Double> tasks =
        awaitGroups(
            "flink.task.records.received",
            "SUM",
            "resource.flink.id",
            stack.coordinates().get("TIDEMARK_FLINK_CLUSTER_ID"),
            List.of("metric.task"));
    assertThat(tasks).isNotEmpty();
  }

  @Test
  void flinkReportsTransactionsThatCouldNotBeCommitted() throws Exception {
    TreeMap<Bucket, Double> sinks =
        awaitGroups(
            "flink.sink.committables.failed",
            "MAX",
            "resource.flink.id",
            stack.coordinates().get("TIDEMARK_FLINK_CLUSTER_ID"),
            List.of("metric.operator"));
    // None is lost, although processes of this stack were killed before.
    assertThat(sinks).hasSizeGreaterThan(1);
    assertThat(sinks.values()).containsOnly(0.0);
    assertThat(stack.stack().failedCommits()).isEmpty();
  }

  @Test
  void theGatewayReportsWhatItAccepted() throws Exception {
    TreeMap<Bucket, Double> points =
        awaitGroups(
            "tidemark.ingest.points",
            "SUM",
            "resource.platform-api.id",
            "platform-api",
            List.of("metric.outcome"));
    assertThat(points.keySet()).extracting(Bucket::group).contains("accepted");
  }

  private TreeMap<Bucket, Double> awaitGroups(
      String metric, String aggregation, String field, String value, List<String> groups)
      throws Exception {
    Instant from = Instant.now().truncatedTo(ChronoUnit.HOURS).minus(1, ChronoUnit.HOURS);
    ObjectNode body =
        MetricsQuery.body(metric, aggregation, "ALL", from, from.plus(3, ChronoUnit.HOURS), groups);
    JsonNode filter =
        JsonHttp.JSON.createObjectNode().put("field", field).put("op", "EQ").put("value", value);
    body.set("filter", filter);
    return Await.until(
        metric + " of " + value, PATIENCE, () -> demo.ask("self", body), rows -> !rows.isEmpty());
  }
}
