package io.tidemark.platform.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.contracts.control.v1.MetricControl;
import io.tidemark.contracts.control.v1.MetricLifecycle;
import io.tidemark.platform.outbox.ControlRecord;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Metrics declared over the control API, discovered from rows, and told to the rollup job. */
@ExtendWith(RunningPlatform.Extension.class)
class MetricCatalogIT {

  private static final String TOPIC = "control.metrics.v1";
  private static final long NOON = Instant.parse("2026-01-01T12:00:00Z").toEpochMilli();

  private final RunningPlatform platform;
  private final ControlApi demo;

  MetricCatalogIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
  }

  @AfterEach
  void kafkaIsBack() {
    platform.controlTopics().fail(false);
  }

  private String metricsOf(String environment) {
    assertThat(
            demo.post(
                    "/environments",
                    "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(environment))
                .status())
        .isEqualTo(201);
    return "/environments/" + environment + "/metrics";
  }

  private ControlRecord until(String environment, String metric, long version) {
    return InterruptibleDelay.until(
        "version " + version + " of " + metric,
        Duration.ofSeconds(5),
        () -> platform.controlTopics().last(TOPIC, "org-demo/" + environment + "/" + metric),
        record -> record.version() >= version);
  }

  private static MetricControl read(ControlRecord record) {
    try {
      return MetricControl.parseFrom(record.value());
    } catch (com.google.protobuf.InvalidProtocolBufferException unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  private void see(String environment, String metric, String label, long minute) {
    Sightings seen = new Sightings();
    seen.add(
        "org-demo", environment, metric, "counter", "By", "kafka", "lkc-1", List.of(label), minute);
    platform.bean(SightingRecorder.class).record(seen);
  }

  /** A description may come before the first row of its metric is committed. */
  @Test
  void whatASenderSaysOfAMetricIsItsDescriptionUntilSomebodyDeclaresOne() {
    String metrics = metricsOf("env-described");
    TenantId organization = new TenantId("org-demo");
    EnvironmentId environment = new EnvironmentId("env-described");
    JdbcSightings rows = platform.bean(JdbcSightings.class);
    TenantTransactions transactions = platform.bean(TenantTransactions.class);
    assertThat(
            transactions.within(
                organization, () -> rows.describe(organization, environment, "orders", "Early.")))
        .isFalse();
    see("env-described", "orders", "topic", NOON);
    platform
        .bean(DescriptionRecorder.class)
        .sent(organization, environment, Map.of("orders", "Orders\n\u0000 taken."));
    InterruptibleDelay.until(
        "a description",
        Duration.ofSeconds(10),
        () -> Optional.of(described(organization, environment)),
        "Orders taken."::equals);
    see("env-described", "orders", "other", NOON + 3_600_000);
    assertThat(described(organization, environment)).isEqualTo("Orders taken.");
    assertThat(
            demo.post(
                    metrics,
                    "{\"name\":\"orders\",\"declaration\":{\"description\":\"As declared.\"}}")
                .status())
        .isEqualTo(201);
    assertThat(described(organization, environment)).isEqualTo("As declared.");
  }

  private String described(TenantId organization, EnvironmentId environment) {
    return platform.bean(MetricCatalog.class).ofOrganization(organization, 100_000).stream()
        .filter(metric -> metric.environment().equals(environment))
        .map(CatalogMetric::description)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aDeclarationIsToldToThePipelineWithinFiveSecondsAndTakenBack() {
    String metrics = metricsOf("env-declared");
    Answer made =
        demo.post(
            metrics,
            """
            {"name":"http/requests","declaration":{"unit":"{request}","type":"counter",
             "high_cardinality_labels":["user","client"],"lifecycle":"deprecated"}}
            """);
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.header("ETag")).isEqualTo("\"1\"");
    String path = metrics + "/" + made.body().path("id").asString();
    assertThat(made.header("Location")).endsWith(path);
    MetricControl told = read(until("env-declared", "http/requests", 1));
    assertThat(told.getMetric()).isEqualTo("http/requests");
    assertThat(told.getUnit()).isEqualTo("{request}");
    assertThat(told.getType()).isEqualTo("counter");
    assertThat(told.getHighCardinalityLabelsList()).containsExactly("client", "user");
    assertThat(told.getLifecycle()).isEqualTo(MetricLifecycle.METRIC_LIFECYCLE_DEPRECATED);
    assertThat(told.getVersion()).isEqualTo(1);

    Answer changed = demo.call("PUT", path, "{\"unit\":\"1\"}", "If-Match", "\"1\"");
    assertThat(changed.header("ETag")).isEqualTo("\"2\"");
    assertThat(read(until("env-declared", "http/requests", 2)).getHighCardinalityLabelsList())
        .isEmpty();
    assertThat(demo.call("PUT", path, "{\"unit\":\"s\"}", "If-Match", "\"1\"").code())
        .isEqualTo("precondition_failed");

    assertThat(demo.call("DELETE", path, null, "If-Match", "\"2\"").status()).isEqualTo(204);
    assertThat(until("env-declared", "http/requests", 3).value()).isNull();
    assertThat(demo.get(path).status()).isEqualTo(404);
    // Declared anew, it goes on counting, so that readers and old tags are not misled.
    assertThat(demo.post(metrics, "{\"name\":\"http/requests\"}").header("ETag"))
        .isEqualTo("\"4\"");
    assertThat(read(until("env-declared", "http/requests", 4)).getVersion()).isEqualTo(4);
  }

  @Test
  void whatWasDeclaredWhileKafkaWasAwayIsToldWhenItIsBack() {
    String metrics = metricsOf("env-away");
    platform.controlTopics().fail(true);
    String path =
        metrics + "/" + demo.post(metrics, "{\"name\":\"cpu\"}").body().path("id").asString();
    demo.call("PUT", path, "{\"high_cardinality_labels\":[\"core\"]}", "If-Match", "*");
    assertThat(platform.controlTopics().last(TOPIC, "org-demo/env-away/cpu")).isEmpty();
    platform.controlTopics().fail(false);
    assertThat(read(until("env-away", "cpu", 2)).getHighCardinalityLabelsList())
        .containsExactly("core");
  }

  @Test
  void whatWasSentIsFoundAndWhatIsDeclaredOfItWins() {
    String metrics = metricsOf("env-found");
    see("env-found", "net.io", "device", NOON);
    see("env-found", "net.io", "device", NOON + 60_000);
    see("env-found", "net.io", "host", NOON - 60_000);
    Answer list = demo.get(metrics);
    assertThat(list.body().path("data")).hasSize(1);
    String path = metrics + "/" + list.body().path("data").path(0).path("id").asString();
    Answer found = demo.get(path);
    assertThat(found.header("ETag")).isEqualTo("\"0\"");
    assertThat(found.body().path("type").asString()).isEqualTo("counter");
    assertThat(found.body().path("unit").asString()).isEqualTo("By");
    assertThat(found.body().path("declared").isMissingNode()).isTrue();
    var discovered = found.body().path("discovered");
    assertThat(discovered.path("labels").toString()).isEqualTo("[\"device\",\"host\"]");
    assertThat(discovered.path("first_seen").asString()).isEqualTo("2026-01-01T11:59:00Z");
    // The later minute is within ten minutes of what was written.
    assertThat(discovered.path("last_seen").asString()).isEqualTo("2026-01-01T12:00:00Z");

    assertThat(
            demo.call("PUT", path, "{\"unit\":\"bit\",\"type\":\"gauge\"}", "If-Match", "\"0\"")
                .header("ETag"))
        .isEqualTo("\"1\"");
    Answer both = demo.get(path);
    assertThat(both.body().path("unit").asString()).isEqualTo("bit");
    assertThat(both.body().path("type").asString()).isEqualTo("gauge");
    assertThat(both.body().path("discovered").path("unit").asString()).isEqualTo("By");
    assertThat(demo.call("DELETE", path, null).status()).isEqualTo(204);
    assertThat(demo.get(path).body().path("unit").asString()).isEqualTo("By");
  }

  @Test
  void theListIsByNameInPages() {
    String metrics = metricsOf("env-pages");
    for (String name : List.of("b", "a/1", "C")) {
      assertThat(demo.post(metrics, "{\"name\":\"%s\"}".formatted(name)).status()).isEqualTo(201);
    }
    see("env-pages", "a/0", "x", NOON);
    List<String> names = new ArrayList<>();
    String cursor = "";
    do {
      Answer page = demo.get(metrics + "?limit=2" + (cursor.isEmpty() ? "" : "&cursor=" + cursor));
      page.body().path("data").forEach(metric -> names.add(metric.path("name").asString()));
      cursor = page.body().path("meta").path("next_cursor").asString("");
    } while (!cursor.isEmpty());
    assertThat(names).containsExactly("C", "a/0", "a/1", "b");
  }

  @Test
  void namesMadeUpWithoutEndStopAtTheMost() {
    String metrics = metricsOf("env-flood");
    SightingRecorder recording =
        new SightingRecorder(
            platform.bean(TenantTransactions.class),
            platform.bean(JdbcSightings.class),
            platform.bean(Clock.class),
            20);
    for (int round = 0; round < 3; round++) {
      Sightings flood = new Sightings();
      for (int i = 0; i < 15; i++) {
        String name = "m" + (round * 10 + i);
        flood.add("org-demo", "env-flood", name, "gauge", "", "service", name, List.of(), NOON);
      }
      recording.record(flood);
    }
    assertThat(demo.get(metrics).body().path("data")).hasSize(20);
    assertThat(demo.get("/environments/env-flood/resources").body().path("data")).hasSize(20);
  }

  /** The same metrics, held beside others, so that a hash table has them in another order. */
  private static Sightings ordered(int others, int round) {
    Sightings seen = new Sightings();
    for (int i = 0; i < 200 + others; i++) {
      String name = i < others ? "other-" + i : "metric-" + (i - others);
      long minute = NOON + round * 60_000L;
      seen.add("org-demo", "env-order", name, "gauge", "", "service", name, List.of(), minute);
    }
    return seen;
  }

  private CompletableFuture<Void> recorded(Sightings seen) {
    // Each instance remembers for itself what it wrote.
    SightingRecorder instance =
        new SightingRecorder(
            platform.bean(TenantTransactions.class),
            platform.bean(JdbcSightings.class),
            platform.bean(Clock.class));
    return CompletableFuture.runAsync(() -> instance.record(seen));
  }

  @Test
  void instancesThatSeeTheSameMetricsDoNotLockEachOtherOut() {
    metricsOf("env-order");
    for (int round = 0; round < 8; round++) {
      CompletableFuture.allOf(
              recorded(ordered(0, round)),
              recorded(ordered(700, round)),
              recorded(ordered(300, round)))
          .join();
    }
    assertThat(
            platform
                .bean(TenantTransactions.class)
                .<Long>within(
                    new TenantId("org-demo"),
                    () ->
                        platform
                            .bean(JdbcSightings.class)
                            .metrics(new TenantId("org-demo"), new EnvironmentId("env-order"))))
        .isEqualTo(900);
  }

  @Test
  void allThatIsWrongIsToldAtOnceAndNothingIsDeclaredTwice() {
    String metrics = metricsOf("env-wrong");
    Answer wrong =
        demo.post(
            metrics,
            """
            {"name":"","declaration":{"unit":"k m","high_cardinality_labels":["",null]}}
            """);
    assertThat(wrong.code()).isEqualTo("invalid_request");
    assertThat(wrong.body().path("errors")).hasSize(3);
    assertThat(demo.post(metrics, "{\"name\":\"a\"}").status()).isEqualTo(201);
    assertThat(demo.post(metrics, "{\"name\":\"a\"}").code()).isEqualTo("conflict");
    assertThat(demo.get(metrics + "/AA").status()).isEqualTo(404);
    assertThat(demo.get(metrics + "/%25").status()).isEqualTo(404);
    for (String unit : List.of("{a{b}}", "(m", "m)", "[m}")) {
      assertThat(
              demo.call(
                      "PUT", metrics + "/YQ", "{\"unit\":\"%s\"}".formatted(unit), "If-Match", "*")
                  .status())
          .as(unit)
          .isEqualTo(400);
    }
    assertThat(
            demo.call("PUT", metrics + "/YQ", "{\"unit\":\"m/(s2.[ft_i])\"}", "If-Match", "*")
                .status())
        .isEqualTo(200);
  }
}
