package io.tidemark.pipeline.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.DruidRows;
import io.tidemark.pipeline.support.MetricsQuery.Bucket;
import io.tidemark.pipeline.support.RowFigures;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A supervisor as the stack declares that of minutes, on a topic and a datasource of its own. Its
 * task gets more rows than an indexer lets one hold in memory: a sixth of the heap divided by the
 * slots, whatever a supervisor says of it.
 */
final class PersistingSupervisor implements AutoCloseable {
  private static final int ROWS_OF_RECORD = 500;
  private static final String LONG = "x".repeat(400);

  private final RunningStack.Started stack;
  private final String name;
  private final String coordinator;
  private final String kafka;
  private final JsonHttp http = new JsonHttp();
  private final Instant time = Instant.now().truncatedTo(ChronoUnit.HOURS);

  PersistingSupervisor(RunningStack.Started stack, String name) throws Exception {
    this.stack = stack;
    this.name = name;
    this.coordinator = "http://" + stack.settings().ports().address("druid-coordinator");
    this.kafka = stack.settings().ports().address("kafka");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka))) {
      admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get(30, TimeUnit.SECONDS);
    }
    ObjectNode declared =
        (ObjectNode)
            JsonHttp.JSON.readTree(
                stack.settings().infra("druid").resolve("ingestion/rollup_1m.json").toFile());
    declared.withObject("/spec/dataSchema").put("dataSource", name);
    ObjectNode io = declared.withObject("/spec/ioConfig").put("topic", name);
    io.withObject("/consumerProperties").put("bootstrap.servers", kafka);
    JsonHttp.Answer posted = http.post(coordinator + "/druid/indexer/v1/supervisor", declared);
    if (!posted.ok()) {
      throw new IOException(posted.status() + " " + posted.text());
    }
  }

  /**
   * Writes records of rows, each row of a series of its own that counts one; returns how many rows.
   */
  public long send(int records) throws Exception {
    try (KafkaProducer<String, byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka),
            new StringSerializer(),
            new ByteArraySerializer())) {
      for (int record = 0; record < records; record++) {
        StringBuilder rows = new StringBuilder();
        for (int row = 0; row < ROWS_OF_RECORD; row++) {
          ObjectNode one = JsonHttp.JSON.createObjectNode().put("timestamp", time.toEpochMilli());
          one.put("organization_id", "org-ledger").put("metric", name);
          one.put("series_id", record + "-" + row).put("last_timestamp", time.toEpochMilli());
          one.put("metric.long", LONG + record + "-" + row);
          one.put("sum", 1).put("count", 1).put("min", 1).put("max", 1).put("last", 1);
          rows.append(one).append('\n');
        }
        producer
            .send(new ProducerRecord<>(name, rows.toString().getBytes(UTF_8)))
            .get(30, TimeUnit.SECONDS);
      }
    }
    return (long) records * ROWS_OF_RECORD;
  }

  /** How many records the task that runs now has read; -1 while none answers. */
  public long read() throws Exception {
    for (JsonNode task : http.get(coordinator + "/druid/indexer/v1/runningTasks").body()) {
      JsonNode location = task.path("location");
      if (task.path("dataSource").asText().equals(name) && location.path("port").asInt(-1) > 0) {
        return http.get(
                "http://%s:%d/druid/worker/v1/chat/%s/offsets/current"
                    .formatted(
                        location.path("host").asText(),
                        location.path("port").asInt(),
                        task.path("id").asText()))
            .body()
            .path("0")
            .asLong(-1);
      }
    }
    return -1;
  }

  /** The offset that the task's newest persist is filed under; empty before the first. */
  Optional<Long> persisted() throws IOException {
    Path tasks = stack.settings().data("druid-indexer");
    try (Stream<Path> files = Files.walk(tasks)) {
      for (Path file : files.filter(path -> path.endsWith("commit.json")).toList()) {
        if (tasks.relativize(file).toString().contains(name)) {
          JsonNode offset = JsonHttp.JSON.readTree(file.toFile()).findValue("0");
          return Optional.ofNullable(offset).map(JsonNode::asLong);
        }
      }
    }
    return Optional.empty();
  }

  /** Points in all rows that Druid has. */
  public long counted() throws Exception {
    String broker = "http://" + stack.settings().ports().address("druid-broker");
    Collection<RowFigures> hours =
        new TreeMap<Bucket, RowFigures>(
                new DruidRows(broker)
                    .figures(name, "hour", name, "", time, time.plus(1, ChronoUnit.HOURS)))
            .values();
    return hours.stream().mapToLong(RowFigures::count).sum();
  }

  @Override
  public void close() throws Exception {
    http.post(
        coordinator + "/druid/indexer/v1/supervisor/" + name + "/terminate",
        JsonHttp.JSON.createObjectNode());
  }
}
