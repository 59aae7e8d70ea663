package io.tidemark.pipeline.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.Difference;
import io.tidemark.pipeline.support.DruidRows;
import io.tidemark.pipeline.support.LakeReader;
import io.tidemark.pipeline.support.LedgerLoad;
import io.tidemark.pipeline.support.MetricsQuery.Bucket;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.RowFigures;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * A load on a metric whose clients were declared to be many: from some minute on, rows of its
 * minutes are written twice, at full detail and without the clients. Both must equal the ledger.
 */
final class SplitMetric implements AutoCloseable {
  private static final String ORGANIZATION = "org-demo";
  private static final String METRIC = "faults.split";
  private static final String ROUTES = "pipeline.routes.v1";
  private static final Duration PATIENCE = Duration.ofSeconds(180);

  /** A route begins at least ten minutes after it was decided. */
  private static final Duration LEAD = Duration.ofMinutes(13);

  private static final int CLIENTS = 20;

  private final RunningStack.Started stack;
  private final LedgerLoad load;
  private Instant begin = Instant.MAX;

  /** Declares the metric and begins to send. */
  SplitMetric(RunningStack.Started stack, LedgerLoad.Habits habits) throws Exception {
    this.stack = stack;
    String authorization = stack.authorization("org-demo");
    ObjectNode metric = JsonHttp.JSON.createObjectNode().put("name", METRIC);
    metric.putObject("declaration").putArray("high_cardinality_labels").add("client");
    JsonHttp.Answer declared =
        new JsonHttp()
            .post(
                stack.coordinates().get("TIDEMARK_URL")
                    + "/api/v1/organizations/"
                    + ORGANIZATION
                    + "/environments/env-demo/metrics",
                authorization,
                metric);
    assertThat(declared.status()).as(declared.text()).isEqualTo(201);
    this.load =
        new LedgerLoad(
            new OtlpSender(stack.coordinates().get("TIDEMARK_OTLP_HTTP"), authorization),
            METRIC,
            habits.withClients(CLIENTS));
  }

  /** Returns when points of split minutes are being sent. */
  void awaitBegin() throws InterruptedException {
    begin = Await.until("a route of " + METRIC, PATIENCE, this::route, Instant.MAX::isAfter);
    Await.until(
        "the first split minute is over",
        LEAD,
        Instant::now,
        now -> now.isAfter(begin.plusSeconds(60)));
  }

  public void finish() throws InterruptedException {
    load.finish();
  }

  /** One line per bucket that differs from the ledger. Only after {@link #finish}. */
  public List<String> differences(DruidRows druid, Instant from, Instant to) throws Exception {
    TreeMap<Bucket, RowFigures> workers = new TreeMap<>();
    load.figures()
        .forEach(
            (bucket, figures) ->
                workers.merge(
                    new Bucket(bucket.time(), bucket.group().substring(0, 2)),
                    figures,
                    RowFigures::plus));
    TreeMap<Bucket, RowFigures> clients = split();
    assertThat(clients).as("split minutes").isNotEmpty();
    List<String> found = new ArrayList<>();
    Difference.between(workers, druid.figures("rollup_1m", "minute", METRIC, "worker", from, to))
        .forEach(line -> found.add("rollup_1m, reduced, " + line));
    Difference.between(clients, druid.figures("rollup_1m_hc", "minute", METRIC, "client", from, to))
        .forEach(line -> found.add("rollup_1m_hc " + line));
    return found;
  }

  /** The lake's two tables of minutes hold the same. */
  void assertLakeEquals(LakeReader lake) throws Exception {
    RowFigures all = load.figures().values().stream().reduce(RowFigures::plus).orElseThrow();
    RowFigures detail = split().values().stream().reduce(RowFigures::plus).orElseThrow();
    JsonNode found =
        Await.until(
            "the lake holds the split metric",
            PATIENCE,
            () -> lake.read(ORGANIZATION, METRIC),
            read ->
                read.at("/rollup_1m/count").asLong() >= all.count()
                    && read.at("/rollup_1m_hc/count").asLong() >= detail.count());
    for (Map.Entry<String, RowFigures> table :
        Map.of("rollup_1m", all, "rollup_1m_hc", detail).entrySet()) {
      JsonNode rows = found.path(table.getKey());
      assertThat(rows.path("count").asLong())
          .as(table.getKey())
          .isEqualTo(table.getValue().count());
      assertThat(rows.path("sum").asDouble()).as(table.getKey()).isEqualTo(table.getValue().sum());
      assertThat(rows.path("panes").asLong())
          .as("distinct pane ids of " + table.getKey())
          .isEqualTo(rows.path("rows").asLong());
    }
  }

  private TreeMap<Bucket, RowFigures> split() {
    TreeMap<Bucket, RowFigures> split = new TreeMap<>();
    load.figures()
        .forEach(
            (bucket, figures) -> {
              if (!bucket.time().isBefore(begin)) {
                split.put(bucket, figures);
              }
            });
    return split;
  }

  /** The first split minute, as published: the last part of the record's key. */
  private Instant route() {
    Map<String, Object> settings =
        stack.stack().access().kafka(stack.coordinates().get("TIDEMARK_KAFKA"));
    settings.put("isolation.level", "read_committed");
    try (KafkaConsumer<String, byte[]> consumer =
        new KafkaConsumer<>(
            settings,
            new StringDeserializer(),
            new org.apache.kafka.common.serialization.ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(ROUTES).stream()
              .map(one -> new TopicPartition(ROUTES, one.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      String prefix = ORGANIZATION + "/env-demo/" + METRIC + "/";
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(one -> consumer.position(one) < ends.get(one))) {
        for (ConsumerRecord<String, byte[]> record : consumer.poll(Duration.ofMillis(200))) {
          if (record.key().startsWith(prefix)) {
            return Instant.ofEpochMilli(Long.parseLong(record.key().substring(prefix.length())));
          }
        }
      }
    }
    return Instant.MAX;
  }

  @Override
  public void close() throws InterruptedException {
    load.close();
  }
}
