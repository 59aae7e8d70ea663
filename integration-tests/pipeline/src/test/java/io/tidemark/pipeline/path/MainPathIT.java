package io.tidemark.pipeline.path;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.MetricsQuery.Bucket;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.OtlpSender.Point;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * From a sender to an answer: every number that was acknowledged comes back, to its own tenant
 * only.
 */
@ExtendWith(RunningStack.class)
class MainPathIT {
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private final RunningStack.Started stack = RunningStack.get();
  private final MetricsQuery ledger = query("org-ledger");

  @Test
  void sumsCountsAndExtremesOfEveryMinuteAndLabelEqualWhatWasSent() throws Exception {
    String metric = "main_path.requests";
    Instant first = Instant.now().truncatedTo(ChronoUnit.MINUTES).minus(20, ChronoUnit.MINUTES);
    TreeMap<Bucket, Double> sums = new TreeMap<>();
    TreeMap<Bucket, Double> counts = new TreeMap<>();
    TreeMap<Bucket, Double> largest = new TreeMap<>();
    TreeMap<Bucket, Double> smallest = new TreeMap<>();
    OtlpSender sender = sender("org-ledger");
    long value = 1;
    for (int batch = 0; batch < 40; batch++) {
      List<Point> points = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        // Out of order on purpose: minutes jump back and forth within and between batches.
        Instant time = first.plusSeconds((batch * 7919L + i * 617L) % (15 * 60));
        String route = "/r" + i % 5;
        String host = "h" + i % 3;
        points.add(new Point(metric, Map.of("route", route, "host", host), time, value));
        Bucket bucket = new Bucket(time.truncatedTo(ChronoUnit.MINUTES), route + "/" + host);
        sums.merge(bucket, (double) value, Double::sum);
        counts.merge(bucket, 1.0, Double::sum);
        largest.merge(bucket, (double) value, Math::max);
        smallest.merge(bucket, (double) value, Math::min);
        value += 13;
      }
      assertThat(sender.send(OtlpSender.batch("shop", points).toByteArray()).statusCode())
          .isEqualTo(200);
    }
    Instant end = first.plus(15, ChronoUnit.MINUTES);
    List<String> groups = List.of("metric.route", "metric.host");

    assertEventually(metric, "SUM", first, end, groups, sums);
    assertEventually(metric, "COUNT", first, end, groups, counts);
    assertEventually(metric, "MAX", first, end, groups, largest);
    assertEventually(metric, "MIN", first, end, groups, smallest);

    double total = sums.values().stream().mapToDouble(Double::doubleValue).sum();
    assertThat(
            ledger
                .ask("cloud", MetricsQuery.body(metric, "SUM", "ALL", first, end, List.of()))
                .values())
        .containsExactly(total);

    ObjectNode filtered = MetricsQuery.body(metric, "SUM", "ALL", first, end, List.of());
    JsonNode filter =
        JsonHttp.JSON.readTree(
            "{\"op\":\"AND\",\"filters\":[{\"field\":\"metric.route\",\"op\":\"EQ\",\"value\":\"/r1\"},"
                + "{\"field\":\"resource.service.id\",\"op\":\"EQ\",\"value\":\"shop\"}]}");
    filtered.set("filter", filter);
    double ofRoute =
        sums.entrySet().stream()
            .filter(e -> e.getKey().group().startsWith("/r1/"))
            .mapToDouble(Map.Entry::getValue)
            .sum();
    assertThat(ledger.ask("cloud", filtered).values()).containsExactly(ofRoute);
  }

  @Test
  void anotherTenantSeesNothingOfIt() throws Exception {
    String metric = "main_path.private";
    Instant time = Instant.now().minus(5, ChronoUnit.MINUTES);
    Instant from = time.truncatedTo(ChronoUnit.HOURS);
    Instant to = from.plus(2, ChronoUnit.HOURS);
    assertThat(
            sender("org-ledger")
                .send(
                    OtlpSender.batch("shop", List.of(new Point(metric, Map.of(), time, 7)))
                        .toByteArray())
                .statusCode())
        .isEqualTo(200);
    // It says that it is the first one, wherever a sender can say something.
    Map<String, String> claims = Map.of("organization_id", "org-ledger", "tenant.id", "org-ledger");
    assertThat(
            sender("org-other")
                .send(
                    OtlpSender.batch("shop", claims, List.of(new Point(metric, claims, time, 1000)))
                        .toByteArray(),
                    "X-Scope-OrgID",
                    "org-ledger",
                    "organization-id",
                    "org-ledger")
                .statusCode())
        .isEqualTo(200);
    ObjectNode body = MetricsQuery.body(metric, "SUM", "ALL", from, to, List.of());

    Await.until(
        "own point", PATIENCE, () -> ledger.ask("cloud", body), rows -> rows.containsValue(7.0));
    Await.until(
        "the other's point",
        PATIENCE,
        () -> query("org-other").ask("cloud", body),
        rows -> rows.containsValue(1000.0));

    assertThat(ledger.ask("cloud", body).values()).containsExactly(7.0);
    ObjectNode attempt = body.deepCopy();
    attempt.set(
        "filter",
        JsonHttp.JSON.readTree(
            "{\"field\":\"organization_id\",\"op\":\"EQ\",\"value\":\"org-other\"}"));
    JsonHttp.Answer answer = ledger.post("cloud", attempt);
    assertThat(answer.body().path("data")).as(answer.text()).isEmpty();
    assertThat(ledger.post("self", body).status())
        .as("the platform's own dataset needs a permission")
        .isEqualTo(403);
  }

  @Test
  void theSameBytesSentTwiceCountOnce() throws Exception {
    String metric = "main_path.resent";
    Instant time = Instant.now().minus(5, ChronoUnit.MINUTES);
    Instant from = time.truncatedTo(ChronoUnit.HOURS);
    Instant to = from.plus(2, ChronoUnit.HOURS);
    byte[] body =
        OtlpSender.batch("shop", List.of(new Point(metric, Map.of(), time, 11))).toByteArray();
    String receipt = null;
    for (int i = 0; i < 3; i++) {
      HttpResponse<byte[]> answer = sender("org-ledger").send(body);
      assertThat(answer.statusCode()).isEqualTo(200);
      receipt = answer.headers().firstValue("Tidemark-Receipt").orElseThrow();
    }
    byte[] after =
        OtlpSender.batch("shop", List.of(new Point(metric + ".after", Map.of(), time, 1)))
            .toByteArray();
    assertThat(sender("org-ledger").send(after).statusCode()).isEqualTo(200);

    Await.until(
        "the batch sent after it",
        PATIENCE,
        () ->
            ledger.ask(
                "cloud", MetricsQuery.body(metric + ".after", "SUM", "ALL", from, to, List.of())),
        rows -> rows.containsValue(1.0));
    Await.until(
        "the batch itself",
        PATIENCE,
        () -> ledger.ask("cloud", MetricsQuery.body(metric, "SUM", "ALL", from, to, List.of())),
        rows -> rows.containsValue(11.0));
    JsonNode told = receipt("org-ledger", receipt).body();
    assertThat(told.path("state").asText()).as("%s", told).isEqualTo("accepted");
    assertThat(told.path("accepted_points").asInt()).isEqualTo(1);
    assertThat(told.path("times_counted").asInt()).isEqualTo(1);
    assertThat(told.path("duplicates").asInt()).isEqualTo(2);
    assertThat(receipt("org-other", receipt).status()).isEqualTo(404);
  }

  @Test
  void aKafkaProducerSendsWithTheKeyOfItsTenantAndAResendByAnotherDoorCountsOnce()
      throws Exception {
    String metric = "main_path.kafka";
    Instant time = Instant.now().minus(5, ChronoUnit.MINUTES);
    Instant from = time.truncatedTo(ChronoUnit.HOURS);
    byte[] body =
        OtlpSender.batch("shop", List.of(new Point(metric, Map.of(), time, 13))).toByteArray();
    String[] credentials =
        new String(
                Base64.getDecoder().decode(stack.authorization("org-ledger").split(" ", 2)[1]),
                StandardCharsets.UTF_8)
            .split(":", 2);
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            stack.coordinates().get("TIDEMARK_KAFKA_DOOR"),
            "security.protocol",
            "SASL_PLAINTEXT",
            "sasl.mechanism",
            "PLAIN",
            "sasl.jaas.config",
            "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\";"
                .formatted(credentials[0], credentials[1]));
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer
          .send(new ProducerRecord<>("otlp.metrics.org-ledger.env-ledger", body))
          .get(30, TimeUnit.SECONDS);
    }
    HttpResponse<byte[]> again = sender("org-ledger").send(body);
    String id = again.headers().firstValue("Tidemark-Receipt").orElseThrow();

    Await.until(
        "the point",
        PATIENCE,
        () ->
            ledger.ask(
                "cloud",
                MetricsQuery.body(
                    metric, "SUM", "ALL", from, from.plus(2, ChronoUnit.HOURS), List.of())),
        rows -> rows.containsValue(13.0));
    assertThat(receipt("org-ledger", id).body().path("duplicates").asInt()).isEqualTo(1);
  }

  @Test
  void aReceiptTellsWhatThePipelineSetAside() throws Exception {
    Instant time = Instant.now().minus(5, ChronoUnit.MINUTES);
    Instant tooLate = Instant.now().minus(2_000, ChronoUnit.DAYS);
    String metric = "main_path.too_late";
    HttpResponse<byte[]> answer =
        sender("org-ledger")
            .send(
                OtlpSender.batch(
                        "shop",
                        List.of(
                            new Point(metric, Map.of(), time, 1),
                            new Point(metric, Map.of(), tooLate, 1)))
                    .toByteArray());
    assertThat(answer.statusCode()).isEqualTo(200);
    String id = answer.headers().firstValue("Tidemark-Receipt").orElseThrow();
    JsonNode told =
        Await.until(
            "a receipt with what was set aside",
            PATIENCE,
            () -> receipt("org-ledger", id).body(),
            receipt -> receipt.path("rejected").size() == 1);
    assertThat(told.path("state").asText()).isEqualTo("partly_rejected");
    assertThat(told.path("accepted_points").asInt()).isEqualTo(1);
    assertThat(told.path("rejected").path(0).path("reason").asText()).isEqualTo("TOO_LATE");
    assertThat(told.path("rejected").path(0).path("at").asText()).isEqualTo("pipeline");
  }

  private JsonHttp.Answer receipt(String organization, String id) throws Exception {
    return new JsonHttp()
        .get(
            stack.coordinates().get("TIDEMARK_URL") + "/api/v1/ingest/receipts/" + id,
            stack.authorization(organization));
  }

  @Test
  void aPointOfTheRunningMinuteIsAnsweredWhenTheMinuteIsOver() throws Exception {
    String metric = "main_path.on_time";
    Instant time = Instant.now();
    assertThat(
            sender("org-ledger")
                .send(
                    OtlpSender.batch("shop", List.of(new Point(metric, Map.of(), time, 5)))
                        .toByteArray())
                .statusCode())
        .isEqualTo(200);
    Instant minute = time.truncatedTo(ChronoUnit.MINUTES);

    assertEventually(
        metric,
        "SUM",
        minute,
        minute.plusSeconds(60),
        List.of(),
        new TreeMap<>(Map.of(new Bucket(minute, ""), 5.0)));
  }

  /** The graph shows what was sent on every edge, and that nothing stands. */
  @Test
  void theWayOfPointsIsShownWithWhatFlowsAndHowFarItIs() throws Exception {
    Instant time = Instant.now().minus(90, ChronoUnit.SECONDS);
    assertThat(
            new OtlpSender(stack.coordinates().get("TIDEMARK_OTLP_HTTP"), demo())
                .send(
                    OtlpSender.batch(
                            "shop", List.of(new Point("main_path.lineage", Map.of(), time, 1)))
                        .toByteArray())
                .statusCode())
        .isEqualTo(200);

    JsonNode graph =
        Await.until(
            "a graph on which points flow into both stores",
            PATIENCE,
            () -> lineage(demo()).body(),
            found ->
                counted(edge(found, "gateway", "points_topic")) > 0
                    && counted(edge(found, "rollup_topics", "druid")) > 0
                    && isFlowing(edge(found, "rollup_topics", "druid"))
                    && isFlowing(edge(found, "lake_job", "lake")));
    assertThat(isFlowing(edge(graph, "points_topic", "rollup_job"))).isTrue();
    Instant committed = watermark(edge(graph, "rollup_job", "rollup_topics"));
    Instant stored = watermark(edge(graph, "rollup_topics", "druid"));
    assertThat(committed).as("a store has what is committed").isAfterOrEqualTo(stored);
    assertThat(lineage(stack.authorization("org-other")).status()).isEqualTo(404);
  }

  private JsonHttp.Answer lineage(String authorization) throws Exception {
    return new JsonHttp()
        .get(
            stack.coordinates().get("TIDEMARK_URL")
                + "/api/v1/organizations/org-demo/environments/env-demo/lineage",
            authorization);
  }

  /** The keys of the other organisations are for metrics alone. */
  private String demo() {
    return stack.authorization("org-demo");
  }

  private static JsonNode edge(JsonNode graph, String from, String to) {
    for (JsonNode edge : graph.path("edges")) {
      if (edge.path("from").asText().equals(from) && edge.path("to").asText().equals(to)) {
        return edge;
      }
    }
    throw new IllegalStateException("No edge from " + from + " to " + to + " in " + graph);
  }

  private static boolean isFlowing(JsonNode edge) {
    return edge.path("state").asText().equals("flowing");
  }

  private static long counted(JsonNode edge) {
    long points = 0;
    for (JsonNode minute : edge.path("minutes")) {
      points += minute.path("count").asLong();
    }
    return points;
  }

  private static Instant watermark(JsonNode edge) {
    return Instant.parse(edge.path("watermark").asText());
  }

  private void assertEventually(
      String metric,
      String aggregation,
      Instant from,
      Instant to,
      List<String> groups,
      TreeMap<Bucket, Double> expected)
      throws InterruptedException {
    Await.until(
        aggregation + " of " + metric,
        PATIENCE,
        () -> ledger.ask("cloud", MetricsQuery.body(metric, aggregation, "PT1M", from, to, groups)),
        expected::equals);
  }

  private OtlpSender sender(String organization) {
    return new OtlpSender(
        stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(organization));
  }

  private MetricsQuery query(String organization) {
    return new MetricsQuery(
        stack.coordinates().get("TIDEMARK_URL"), stack.authorization(organization));
  }
}
