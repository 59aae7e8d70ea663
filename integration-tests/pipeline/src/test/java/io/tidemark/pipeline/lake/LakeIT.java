package io.tidemark.pipeline.lake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.LakeReader;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.OtlpSender.Point;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.EnvironmentFile;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What was acknowledged, what Druid adds up and what the lake holds are the same numbers; the lake
 * is read with PyIceberg.
 */
@ExtendWith(RunningStack.class)
@Order(6)
class LakeIT {
  private static final Duration PATIENCE = Duration.ofSeconds(420);
  private static final String ORGANIZATION = "org-ledger";
  private static final String METRIC = "lake.requests";
  private static final String SPLIT_METRIC = "lake.split";
  private static final int BATCHES = 20;
  private static final int POINTS = 25;

  private final RunningStack.Started stack = RunningStack.get();
  private final JsonHttp http = new JsonHttp();

  @Test
  void druidAndTheLakeHoldWhatWasAcknowledged() throws Exception {
    LakeReader lake = new LakeReader(stack);
    // A day that is over: its panes do not wait for its end.
    Instant begin = Instant.now().truncatedTo(ChronoUnit.DAYS).minus(4, ChronoUnit.DAYS);
    OtlpSender sender =
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(ORGANIZATION));
    long acked = 0;
    double sum = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
      List<Point> points = new ArrayList<>();
      for (int i = 0; i < POINTS; i++) {
        long value = batch * 1_000L + i;
        Instant time = begin.plusSeconds((batch * 331L + i * 97L) % 7_200);
        points.add(new Point(METRIC, Map.of("host", "h" + i % 4), time, value));
        sum += value;
      }
      byte[] body = OtlpSender.batch("lake", points).toByteArray();
      assertThat(sender.send(body).statusCode()).isEqualTo(200);
      acked += POINTS;
      // A client that did not hear the answer sends the same bytes again.
      assertThat(sender.send(body).statusCode()).isEqualTo(200);
    }

    long expected = acked;
    double total = sum;
    JsonNode found =
        Await.until(
            "the lake holds every point once",
            PATIENCE,
            Await.LONG_PAUSE,
            () -> lake.read(ORGANIZATION, METRIC),
            read ->
                read.at("/raw_points/rows").asLong() == expected
                    && read.at("/rollup_1m/count").asLong() == expected
                    && read.at("/rollup_1h/count").asLong() == expected
                    && read.at("/rollup_1d/count").asLong() == expected);

    JsonNode raw = found.path("raw_points");
    assertThat(raw.path("places").asLong()).isEqualTo(expected);
    assertThat(raw.path("sum").asDouble()).isEqualTo(total);
    assertThat(raw.path("ints").asLong()).isEqualTo(expected);
    assertThat(raw.path("hosts").toString()).isEqualTo("[\"h0\",\"h1\",\"h2\",\"h3\"]");
    assertThat(raw.path("temporalities").toString()).isEqualTo("[\"delta\"]");
    assertThat(lake.page(ORGANIZATION, METRIC)).isEqualTo(expected + " " + total);
    for (String level : List.of("rollup_1m", "rollup_1h", "rollup_1d")) {
      JsonNode panes = found.path(level);
      assertThat(panes.path("sum").asDouble()).as(level).isEqualTo(total);
      assertThat(panes.path("min").asDouble()).as(level).isZero();
      assertThat(panes.path("panes").asLong())
          .as("distinct pane ids of %s", level)
          .isEqualTo(panes.path("rows").asLong());
      Await.until(
          level + " in Druid equals the lake's panes",
          PATIENCE,
          () -> druid(level, METRIC, begin),
          sums -> sums.equals(new Sums(expected, total)));
    }
  }

  /** A split minute is once in the totals and once more, at full detail, in a table of its own. */
  @Test
  void splitMinutesAreKeptBesideTheTotals() throws Exception {
    LakeReader lake = new LakeReader(stack);
    Instant minute = Instant.now().truncatedTo(ChronoUnit.DAYS).minus(4, ChronoUnit.DAYS);
    int hosts = 3;
    // As the rollup job writes them, ten minutes after a metric was declared to be split.
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", stack.coordinates().get("TIDEMARK_KAFKA"), "acks", "all"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int host = 0; host < hosts; host++) {
        ObjectNode row = row("d".repeat(31) + host, minute, 10.0 + host, 1);
        row.put("metric.host", "h" + host);
        send(producer, "telemetry.rollup-1m-hc.v1", row);
      }
      send(producer, "telemetry.rollup-1m.v1", row("e".repeat(32), minute, 33.0, hosts));
    }

    JsonNode found =
        Await.until(
            "the lake holds the split minute",
            PATIENCE,
            Await.LONG_PAUSE,
            () -> lake.read(ORGANIZATION, SPLIT_METRIC),
            read ->
                read.at("/rollup_1m/count").asLong() == hosts
                    && read.at("/rollup_1m_hc/count").asLong() == hosts);

    assertThat(found.at("/rollup_1m/rows").asLong()).isEqualTo(1);
    assertThat(found.at("/rollup_1m_hc/rows").asLong()).isEqualTo(hosts);
    assertThat(found.at("/rollup_1m_hc/panes").asLong()).isEqualTo(hosts);
    for (String table : List.of("rollup_1m", "rollup_1m_hc")) {
      assertThat(found.path(table).path("sum").asDouble()).as(table).isEqualTo(33.0);
      Await.until(
          table + " in Druid equals the lake's panes",
          PATIENCE,
          () -> druid(table, SPLIT_METRIC, minute),
          sums -> sums.equals(new Sums(hosts, 33.0)));
    }
  }

  private static void send(KafkaProducer<byte[], byte[]> producer, String topic, ObjectNode row)
      throws Exception {
    producer.send(new ProducerRecord<>(topic, row.toString().getBytes(UTF_8))).get();
  }

  private static ObjectNode row(String series, Instant minute, double sum, long count) {
    ObjectNode row = JsonHttp.JSON.createObjectNode();
    row.put("timestamp", minute.toEpochMilli()).put("organization_id", ORGANIZATION);
    row.put("environment_id", "env-ledger").put("metric", SPLIT_METRIC);
    row.put("metric_type", "gauge").put("unit", "1").put("resource_type", "service");
    row.put("resource_id", "lake").put("resource.service.id", "lake").put("series_id", series);
    row.put("sum", sum).put("count", count).put("min", 10.0).put("max", 12.0);
    row.put("pane_id", series + "-" + minute.toEpochMilli() + "-0");
    return row;
  }

  private record Sums(long count, double sum) {}

  private Sums druid(String datasource, String metric, Instant from)
      throws IOException, InterruptedException {
    ObjectNode query = JsonHttp.JSON.createObjectNode();
    query.put("queryType", "timeseries").put("dataSource", datasource).put("granularity", "all");
    query
        .putArray("intervals")
        .add(from.truncatedTo(ChronoUnit.DAYS) + "/" + from.plus(2, ChronoUnit.DAYS));
    query
        .putObject("filter")
        .put("type", "selector")
        .put("dimension", "metric")
        .put("value", metric);
    var aggregations = query.putArray("aggregations");
    aggregations.addObject().put("type", "longSum").put("name", "count").put("fieldName", "count");
    aggregations.addObject().put("type", "doubleSum").put("name", "sum").put("fieldName", "sum");
    JsonNode result =
        http.post(stack.coordinates().get("TIDEMARK_DRUID") + "/druid/v2", query)
            .body()
            .at("/0/result");
    return new Sums(result.path("count").asLong(), result.path("sum").asDouble());
  }

  /** Whoever takes the lake job over can neither read tenants' settings nor make roles. */
  @Test
  void theRoleOfTheLakeOwnsTheCatalogAndNothingElse() throws Exception {
    assertThatThrownBy(() -> connect("tidemark_lake", "TIDEMARK_CATALOG_PASSWORD", "tidemark"))
        .hasMessageContaining("permission denied for database");
    assertThatThrownBy(
            () ->
                connect("tidemark_catalog_reader", "TIDEMARK_CATALOG_READER_PASSWORD", "tidemark"))
        .hasMessageContaining("permission denied for database");
    try (Connection lake = connect("tidemark_lake", "TIDEMARK_CATALOG_PASSWORD", "iceberg");
        Statement statement = lake.createStatement()) {
      try (ResultSet tables =
          statement.executeQuery(
              "SELECT bool_and(tableowner = current_user) FROM pg_tables"
                  + " WHERE schemaname = 'public'")) {
        tables.next();
        assertThat(tables.getBoolean(1)).as("it owns every table of the catalog").isTrue();
      }
      assertThatThrownBy(() -> statement.execute("CREATE ROLE somebody"))
          .hasMessageContaining("permission denied to create role");
    }
  }

  /** Whoever takes platform-api over has its database, and nothing of the server. */
  @Test
  void theOwnerOfTheControlPlaneIsNoSuperuserAndHasItsDatabaseOnly() throws Exception {
    assertThatThrownBy(
            () -> connect("tidemark_owner", "TIDEMARK_POSTGRES_OWNER_PASSWORD", "iceberg"))
        .hasMessageContaining("permission denied for database");
    try (Connection owner =
            connect("tidemark_owner", "TIDEMARK_POSTGRES_OWNER_PASSWORD", "tidemark");
        Statement statement = owner.createStatement()) {
      try (ResultSet role =
          statement.executeQuery(
              "SELECT bool_or(rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls),"
                  + " (SELECT bool_and(tableowner = current_user) FROM pg_tables"
                  + " WHERE schemaname = 'public') FROM pg_roles WHERE rolname = current_user")) {
        role.next();
        assertThat(role.getBoolean(1)).as("it may do more than own its database").isFalse();
        assertThat(role.getBoolean(2)).as("it owns every table of the control plane").isTrue();
      }
    }
    try (Connection application =
            connect("tidemark_application", "TIDEMARK_POSTGRES_APPLICATION_PASSWORD", "tidemark");
        Statement statement = application.createStatement()) {
      assertThatThrownBy(() -> statement.execute("CREATE TABLE somewhere (x int)"))
          .hasMessageContaining("permission denied for schema");
    }
  }

  private Connection connect(String role, String password, String database) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://" + stack.settings().ports().address("postgres") + "/" + database,
        role,
        EnvironmentFile.read(stack.settings().home().resolve("secrets.env")).get(password));
  }
}
