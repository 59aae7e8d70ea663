package io.tidemark.pipeline.path;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.MetricsQuery.Bucket;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.EnvironmentFile;
import io.tidemark.stack.JsonHttp;
import io.tidemark.stack.StackIdentity;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The stack watches itself: live metrics of its own Kafka, Flink and API, labelled by topic,
 * partition and task.
 */
@ExtendWith(RunningStack.class)
class SelfTelemetryIT {
  private static final Duration PATIENCE = Duration.ofSeconds(150);

  /** What a stack of one machine without faults has nothing of, with the reason. */
  private static final Set<String> UNSEEN_HERE =
      Set.of(
          // A collector on hosts of brokers sends them.
          "kafka: A disk has little room",
          "kafka: A consumer group falls behind",
          // Nothing of the kind happens.
          "tidemark: Batches could not be stored",
          "tidemark: Batches cannot be read",
          // Its doors are without TLS.
          "tidemark: The certificate of the doors expires soon");

  private final HttpClient http = HttpClient.newHttpClient();
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

  /** Every rule of the agent for what the jobs count fits a bean of a job that runs. */
  @Test
  void theJobsReportWhatTheyCount() throws Exception {
    JsonNode rules =
        new YAMLMapper().readTree(stack.settings().infra("flink/jmx-rules.yaml").toFile());
    Set<String> silent = new TreeSet<>();
    for (JsonNode rule : rules.path("rules")) {
      for (JsonNode mapped : rule.path("mapping")) {
        String metric = mapped.path("metric").asText();
        if (metric.startsWith("tidemark.")) {
          silent.add(metric);
        }
      }
    }
    assertThat(silent).hasSizeGreaterThan(35);
    Instant from = Instant.now().truncatedTo(ChronoUnit.HOURS).minus(1, ChronoUnit.HOURS);
    Await.until(
        "points of every metric of the jobs",
        PATIENCE,
        Await.LONG_PAUSE,
        () -> {
          for (String metric : List.copyOf(silent)) {
            ObjectNode body =
                MetricsQuery.body(
                    metric,
                    "COUNT",
                    "ALL",
                    from,
                    from.plus(3, ChronoUnit.HOURS),
                    List.of("metric.job"));
            if (!demo.ask("self", body).isEmpty()) {
              silent.remove(metric);
            }
          }
          return silent;
        },
        Set::isEmpty);
  }

  /** Subtasks are added up by the agent: one series for each operator. */
  @Test
  void pointsOfAllSubtasksAreOneSeries() throws Exception {
    Instant from = Instant.now().truncatedTo(ChronoUnit.HOURS).minus(1, ChronoUnit.HOURS);
    ObjectNode body =
        MetricsQuery.body(
            "tidemark.rollup.points",
            "SUM",
            "ALL",
            from,
            from.plus(3, ChronoUnit.HOURS),
            List.of("metric.job", "metric.subtask"));
    TreeMap<Bucket, Double> points =
        Await.until(
            "points of the rollup job",
            PATIENCE,
            () -> demo.ask("self", body),
            rows -> rows.values().stream().mapToDouble(Double::doubleValue).sum() > 0);
    assertThat(points.keySet())
        .extracting(Bucket::group)
        .allSatisfy(
            group -> assertThat(group).startsWith("rollup/").doesNotContainPattern("[0-9]"));
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

  /** A rule whose metric nobody sends, or whose matchers fit nothing, watches nothing. */
  @Test
  void rulesOfThePacksLookAtWhatEnginesReport() throws Exception {
    String place = "/api/v1/organizations/org-self/environments/env-self/alert-rules";
    JsonNode rules = ask("GET", place + "?limit=200", null).path("data");
    Map<String, JsonNode> conditions = new TreeMap<>();
    for (JsonNode rule : rules) {
      if (rule.path("labels").has("pack")) {
        conditions.put(
            rule.at("/labels/pack").asText() + ": " + rule.path("name").asText(),
            rule.path("condition"));
      }
    }
    assertThat(conditions).hasSizeGreaterThan(30);
    assertThat(conditions.keySet()).containsAll(UNSEEN_HERE);
    conditions.keySet().removeAll(UNSEEN_HERE);
    Await.until(
        "rows of every rule",
        PATIENCE,
        // Each round asks for dozens of previews: without a pause the organisation's limit is used
        // up.
        Await.LONG_PAUSE,
        () -> {
          for (String name : List.copyOf(conditions.keySet())) {
            JsonNode body = JsonHttp.JSON.createObjectNode().set("condition", conditions.get(name));
            JsonNode preview = ask("POST", place + "/preview", body.toString());
            if (preview.hasNonNull("first_row_minute")
                && preview.path("groups_total").asInt() > 0) {
              conditions.remove(name);
            }
          }
          return conditions.keySet();
        },
        Set::isEmpty);
  }

  private JsonNode ask(String method, String path, String body) throws Exception {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(stack.coordinates().get("TIDEMARK_URL") + path))
                .header("Authorization", ofPlatform())
                .header("Content-Type", "application/json")
                .method(
                    method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(200);
    return JsonHttp.JSON.readTree(answer.body());
  }

  /** The key that the stack's engines send with. */
  private String ofPlatform() {
    return StackIdentity.credentials(
            EnvironmentFile.read(stack.settings().home().resolve("secrets.env"))
                .get("TIDEMARK_BOOTSTRAP_SELF_KEY"))
        .authorization();
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
