package io.tidemark.pipeline.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.DruidRows;
import io.tidemark.pipeline.support.LedgerLoad;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.MetricsQuery.Bucket;
import io.tidemark.pipeline.support.OtlpSender;
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
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * {@code make test-operations}: docs/operations/large-tenant.md, done on the real stack while
 * points flow. Sums by minute, hour and day are the ledger's, and each row is on its side.
 */
@ExtendWith(RunningStack.class)
@Isolated("the whole stack is restarted and Druid is rebuilt")
class LargeTenant {
  private static final Duration PATIENCE = Duration.ofSeconds(300);
  private static final String ORGANIZATION = "org-ledger";

  /** So old are late points; the placement begins with their day. */
  private static final Duration OLDER = Duration.ofHours(30);

  /** Nobody sends for it but the operation that places it, and its key may delete. */
  private static final String LARGE = "org-demo";

  /** So old are points of before the placement. */
  private static final Duration OLDEST = Duration.ofHours(54);

  private static final Instant FOREVER = Instant.parse("2100-01-01T00:00:00Z");

  /** A deletion ends when the pipeline is complete beyond what was accepted. */
  private static final Duration CERTIFIED = Duration.ofMinutes(12);

  private final RunningStack.Started stack = RunningStack.get();
  private final Instant from = Instant.now().truncatedTo(ChronoUnit.MINUTES).minusSeconds(600);

  /**
   * A tenant gets datasources of its own while it and another one send, and an indexer dies: rows
   * from a day on are in them and older ones are not, however late they come; answers by minute,
   * hour and day are the ledger's. A deletion finds rows on both sides, and a rebuild puts each
   * where it was.
   */
  @Test
  void aLargeTenantGetsDatasourcesOfItsOwn() throws Exception {
    String metric = "operations.placed";
    String late = "operations.placed-late";
    String other = "operations.beside";
    Instant placed = Instant.now().minus(OLDER).truncatedTo(ChronoUnit.DAYS);
    DruidRows druid = new DruidRows(stack.coordinates().get("TIDEMARK_DRUID"));
    TreeMap<Bucket, RowFigures> before = sendOldest(metric);
    long oldest = count(before);
    Await.until(
        "rows of before are in the shared datasource",
        PATIENCE,
        () -> count(druid.figures("rollup_1m", "day", metric, "", placed.minus(OLDEST), placed)),
        counted -> counted == oldest);

    try (LedgerLoad beside = load(ORGANIZATION, other, OLDEST)) {
      awaitMore(beside);
      place(placed);
      assertThat(stack.stack().druidDrift()).as("as declared").isEmpty();
      try (LedgerLoad own = load(LARGE, metric, OLDER);
          LedgerLoad ownLate = load(LARGE, late, OLDEST)) {
        awaitMore(own);
        stack.stack().kill("druid-indexer");
        awaitMore(ownLate);
        stack.stack().up();
        awaitMore(own);
        awaitMore(ownLate);
        own.finish();
        ownLate.finish();
        beside.finish();
        TreeMap<Bucket, RowFigures> all = new TreeMap<>(own.figures());
        before.forEach((bucket, row) -> all.merge(bucket, row, RowFigures::plus));
        assertAnswers(LARGE, metric, all);
        assertAnswers(LARGE, late, ownLate.figures());
        assertAnswers(ORGANIZATION, other, beside.figures());
        assertApart(placed);

        Instant today = Instant.now().truncatedTo(ChronoUnit.DAYS);
        JsonNode certificate = deleteBefore(metric, today);
        System.out.println("OPERATIONS " + certificate.path("druid"));
        long gone = count(all.headMap(new Bucket(today, "")));
        for (String level : List.of("rollup_1m", "rollup_1h", "rollup_1d")) {
          assertThat(removed(certificate, level)).as("removed from " + level).isEqualTo(oldest);
          assertThat(removed(certificate, level + "_large"))
              .as("removed from the own " + level)
              .isEqualTo(gone - oldest);
        }
        all.headMap(new Bucket(today, "")).clear();
        assertAnswers(LARGE, metric, all);
        assertAnswers(LARGE, late, ownLate.figures());
        assertAnswers(ORGANIZATION, other, beside.figures());
        assertApart(placed);

        stack.stack().rebuildDruid();
        assertThat(stack.stack().druidDrift()).as("as declared again").isEmpty();
        // The topics still have what was deleted: docs/operations/rebuild-druid.md.
        assertAnswers(LARGE, metric, all);
        assertAnswers(LARGE, late, ownLate.figures());
        assertAnswers(ORGANIZATION, other, beside.figures());
        assertApart(placed);
      }
    }
  }

  private LedgerLoad load(String organization, String metric, Duration older) {
    return new LedgerLoad(
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(organization)),
        metric,
        new LedgerLoad.Habits(Duration.ofMinutes(20), 0, older, 0));
  }

  /** Points of before the placement, the only ones of the tenant until it is placed. */
  private TreeMap<Bucket, RowFigures> sendOldest(String metric) throws Exception {
    List<OtlpSender.Point> points = new ArrayList<>();
    TreeMap<Bucket, RowFigures> figures = new TreeMap<>();
    Instant first = Instant.now().minus(OLDEST).truncatedTo(ChronoUnit.MINUTES);
    for (int i = 0; i < 100; i++) {
      Instant time = first.plusSeconds(i);
      String worker = "w" + i % 10;
      points.add(new OtlpSender.Point(metric, Map.of("worker", worker), time, i + 1));
      figures.merge(
          new Bucket(time.truncatedTo(ChronoUnit.MINUTES), worker),
          RowFigures.of(i + 1),
          RowFigures::plus);
    }
    int status =
        new OtlpSender(stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(LARGE))
            .send(OtlpSender.batch("ledger", points).toByteArray())
            .statusCode();
    assertThat(status).isEqualTo(200);
    return figures;
  }

  private static long count(Map<Bucket, RowFigures> figures) {
    return figures.values().stream().mapToLong(RowFigures::count).sum();
  }

  /** As docs/operations/large-tenant.md says, and tries to take it back. */
  private void place(Instant placed) throws Exception {
    Path placements = stack.settings().root().resolve(RunningStack.PLACEMENTS);
    Path indexer = stack.settings().root().resolve(RunningStack.INDEXER);
    Files.writeString(
        indexer,
        Files.readString(indexer)
            .replaceFirst("druid.worker.capacity=\\d+", "druid.worker.capacity=12"));
    stack.stack().up();
    Await.until(
        "the other tenant has rows of that time",
        PATIENCE,
        () -> rows("rollup_1m", of(ORGANIZATION), placed, FOREVER),
        rows -> rows > 0);
    String text =
        "[{\"organization_id\":\"%s\",\"name\":\"large\",\"from\":\"%s\"}]"
            .formatted(LARGE, placed);
    Files.writeString(placements, text.replace(LARGE, ORGANIZATION));
    assertThatThrownBy(() -> stack.stack().up())
        .as("it has rows of that time")
        .hasMessageContaining(ORGANIZATION + " has ")
        .hasMessageContaining("in shared datasources");
    Files.writeString(placements, text);
    long began = System.nanoTime();
    stack.stack().up();
    System.out.printf("OPERATIONS placed in %d s%n", (System.nanoTime() - began) / 1_000_000_000);
    Files.writeString(placements, "[]");
    assertThatThrownBy(() -> stack.stack().up())
        .as("once made it never changes")
        .hasMessageContaining("never changes");
    Files.writeString(placements, text);
  }

  /** By the Metrics API: minutes of each time that points are of, hours and days of all. */
  private void assertAnswers(String tenant, String metric, TreeMap<Bucket, RowFigures> figures)
      throws Exception {
    MetricsQuery query =
        new MetricsQuery(stack.coordinates().get("TIDEMARK_URL"), stack.authorization(tenant));
    Instant begin = from.minus(OLDEST).truncatedTo(ChronoUnit.DAYS);
    Instant end = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.DAYS);
    for (Duration age : List.of(Duration.ZERO, OLDER, OLDEST)) {
      Instant first = from.minus(age).minusSeconds(600);
      assertAnswer(
          query, metric, "PT1M", ChronoUnit.MINUTES, first, first.plusSeconds(7_200), figures);
    }
    assertAnswer(query, metric, "PT1H", ChronoUnit.HOURS, begin, end, figures);
    assertAnswer(query, metric, "P1D", ChronoUnit.DAYS, begin, end, figures);
  }

  private static void assertAnswer(
      MetricsQuery query,
      String metric,
      String granularity,
      ChronoUnit unit,
      Instant begin,
      Instant end,
      TreeMap<Bucket, RowFigures> figures)
      throws Exception {
    TreeMap<Bucket, Double> expected = new TreeMap<>();
    figures.forEach(
        (bucket, row) -> {
          if (!bucket.time().isBefore(begin) && bucket.time().isBefore(end)) {
            expected.merge(
                new Bucket(bucket.time().truncatedTo(unit), bucket.group()),
                row.sum(),
                Double::sum);
          }
        });
    ObjectNode body =
        MetricsQuery.body(metric, "SUM", granularity, begin, end, List.of("metric.worker"));
    Await.until(
        metric + " by " + granularity + " from " + begin + " equals the ledger",
        PATIENCE,
        () -> query.ask("cloud", body),
        expected::equals);
  }

  /** By Druid itself: each datasource has rows of its side alone. */
  private void assertApart(Instant placed) throws Exception {
    ObjectNode large = of(LARGE);
    ObjectNode others = JsonHttp.JSON.createObjectNode().put("type", "not");
    others.set("field", large);
    for (String level : List.of("rollup_1m", "rollup_1m_hc", "rollup_1h", "rollup_1d")) {
      String own = level + "_large";
      assertThat(rows(level, large, placed, FOREVER)).as("of the tenant in " + level).isZero();
      assertThat(rows(own, large, Instant.EPOCH, placed)).as("older ones in " + own).isZero();
      assertThat(rows(own, others, Instant.EPOCH, FOREVER)).as("of others in " + own).isZero();
    }
    for (String level : List.of("rollup_1m", "rollup_1h", "rollup_1d")) {
      assertThat(rows(level, large, Instant.EPOCH, placed))
          .as("older ones in " + level)
          .isPositive();
    }
    assertThat(rows("rollup_1m", others, placed, FOREVER)).as("of others").isPositive();
    assertThat(rows("rollup_1m_large", large, placed, FOREVER)).as("its own").isPositive();
  }

  private static ObjectNode of(String organization) {
    return JsonHttp.JSON
        .createObjectNode()
        .put("type", "selector")
        .put("dimension", "organization_id")
        .put("value", organization);
  }

  private long rows(String datasource, ObjectNode filter, Instant begin, Instant end)
      throws Exception {
    ObjectNode query = JsonHttp.JSON.createObjectNode();
    query.put("queryType", "timeseries").put("dataSource", datasource).put("granularity", "all");
    query.putArray("intervals").add(begin + "/" + end);
    query.set("filter", filter);
    query.putArray("aggregations").addObject().put("type", "count").put("name", "rows");
    query.putObject("context").put("useCache", false).put("populateCache", false);
    JsonHttp.Answer answer =
        new JsonHttp().post(stack.coordinates().get("TIDEMARK_DRUID") + "/druid/v2", query);
    assertThat(answer.ok()).as(answer.text()).isTrue();
    return answer.body().at("/0/result/rows").asLong(0);
  }

  /** Returns the certificate. */
  private JsonNode deleteBefore(String metric, Instant day) throws Exception {
    String deletions =
        stack.coordinates().get("TIDEMARK_URL")
            + "/api/v1/organizations/"
            + LARGE
            + "/environments/env-demo/deletions";
    ObjectNode wanted = JsonHttp.JSON.createObjectNode();
    wanted.put("metric", metric).put("before", day.toString());
    JsonHttp http = new JsonHttp();
    JsonHttp.Answer begun = http.post(deletions, stack.authorization(LARGE), wanted);
    assertThat(begun.status()).as(begun.text()).isEqualTo(202);
    String id = begun.body().path("id").asText();
    JsonNode done =
        Await.until(
            "the end of the deletion",
            CERTIFIED,
            Await.LONG_PAUSE,
            () -> http.get(deletions + "/" + id, stack.authorization(LARGE)).body(),
            answer -> answer.path("state").asText().equals("done"));
    return JsonHttp.JSON.readTree(done.path("certificate").asText());
  }

  private static long removed(JsonNode certificate, String datasource) {
    for (JsonNode step : certificate.path("druid")) {
      if (step.path("datasource").asText().equals(datasource)) {
        return step.path("points_removed").asLong();
      }
    }
    throw new AssertionError("No " + datasource + " in " + certificate);
  }

  private static void awaitMore(LedgerLoad load) throws InterruptedException {
    long before = load.acknowledged();
    Await.until("load flows", PATIENCE, load::acknowledged, now -> now > before + 2_000);
  }
}
