package io.tidemark.flink.rollup;

import static io.tidemark.flink.io.StreamNames.named;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.control.ControlSource;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.route.RouteInterval.Why;
import io.tidemark.flink.model.route.SplitRule;
import io.tidemark.flink.testing.CollectorSink;
import io.tidemark.flink.testing.TestBatch;
import io.tidemark.flink.testing.TestClusters;
import io.tidemark.flink.testing.TestControl;
import io.tidemark.flink.testing.TestTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Metrics that are split while the job runs: one measured, one declared, one neither. */
class HighCardinalitySplitIT {

  @RegisterExtension static final MiniClusterExtension CLUSTER = TestClusters.cluster();

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SERIES = 60;
  private static final double SUM = SERIES * (SERIES - 1) / 2.0;
  private static final int MINUTES = 30;

  private static CollectorSink<RouteInterval> routes;

  @Test
  void exactlyTheMinutesOfARouteAreSplitAndTotalsStay() throws Exception {
    routes = new CollectorSink<>();
    CollectorSink<byte[]> ordinary = new CollectorSink<>();
    CollectorSink<byte[]> split = new CollectorSink<>();
    CollectorSink<byte[]> hours = new CollectorSink<>();
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    RollupJob.neverDiffer(environment);
    environment.setParallelism(2);
    DataStream<PointsRecord> records =
        script(environment, "points", new Points(), PointsRecord.class)
            .assignTimestampsAndWatermarks(TestWatermarks.afterEveryRecord())
            .setParallelism(1)
            .uid("test-watermarks");
    DataStream<ControlRecord> metrics = idle(environment, "metrics", new Declares());
    DataStream<ControlRecord> tenants = idle(environment, "tenants", new SaysNothing());
    RollupStreams streams = RollupTopology.define(records, tenants, metrics, "points", rules());
    named(streams.routes().sinkTo(routes), "test-routes", "Collect routes");
    named(streams.minutes().sinkTo(ordinary), "test-minutes", "Collect minutes");
    named(streams.reduced().minutes().sinkTo(ordinary), "test-reduced", "Collect reduced");
    named(streams.splitMinutes().sinkTo(split), "test-split", "Collect split minutes");
    named(streams.hours().sinkTo(hours), "test-hours", "Collect hours");
    named(streams.reduced().hours().sinkTo(hours), "test-reduced-hours", "Collect reduced hours");

    environment.execute("high-cardinality-split");

    RouteInterval measured = route("large");
    assertEquals(Why.MEASURED, measured.why());
    assertArrayEquals(new String[] {"id"}, measured.labels());
    assertTrue(Math.abs(measured.seriesEstimate() - SERIES) < SERIES / 5);
    assertEquals(Why.DECLARED, route("declared").why());
    List<JsonNode> rows = rows(ordinary);
    List<JsonNode> details = rows(split);
    int splitMinutes = 0;
    for (String metric : new String[] {"large", "declared", "small"}) {
      boolean isRouted = !metric.equals("small");
      for (int minute = 0; minute < MINUTES; minute++) {
        long start = TestTime.at(time(minute, 0));
        boolean isSplit = isRouted && route(metric).covers(start);
        splitMinutes += isSplit ? 1 : 0;
        String what = metric + " " + time(minute, 0);
        List<JsonNode> own = of(rows, metric, start);
        List<JsonNode> detail = of(details, metric, start);
        int series = metric.equals("large") ? SERIES : 5;
        assertEquals(sum(series), sum(own), what);
        assertEquals(series, count(own), what);
        assertEquals(isSplit ? 1 : series, series(own), what);
        assertEquals(isSplit ? series : 0, series(detail), what);
        assertEquals(isSplit ? sum(series) : 0, sum(detail), what);
      }
    }
    assertTrue(splitMinutes > 0 && splitMinutes < 2 * MINUTES, splitMinutes + " minutes");
    assertEquals(MINUTES * (SUM + 2 * sum(5)), sum(rows(hours)), "hours hold every minute once");
    Set<String> ids = new HashSet<>();
    rows.forEach(row -> ids.add(row.get("pane_id").asText()));
    assertEquals(rows.size(), ids.size());
  }

  /** Begins a few minutes into the test's day, whatever the clock says. */
  private static RollupRules rules() {
    long ahead = TestTime.at(time(5, 0)) - System.currentTimeMillis();
    return RollupRules.DEFAULT.withSplits(new SplitRule(50, 20, 2, 100, Duration.ofMillis(ahead)));
  }

  private static final class Points implements FlatMapFunction<Long, PointsRecord> {
    private static final long serialVersionUID = 1L;
    private long offset;

    @Override
    public void flatMap(Long start, Collector<PointsRecord> out) {
      minute(0, out);
      minute(1, out);
      long end = System.nanoTime() + Duration.ofSeconds(120).toNanos();
      while (routes.collected().size() < 2) {
        if (System.nanoTime() > end) {
          throw new IllegalStateException("No routes came");
        }
        LockSupport.parkNanos(1_000_000);
      }
      for (int minute = 2; minute < MINUTES; minute++) {
        minute(minute, out);
      }
    }

    private void minute(int minute, Collector<PointsRecord> out) {
      TestBatch batch = new TestBatch();
      batch.add(gauge("large", minute, SERIES));
      batch.add(gauge("declared", minute, 5));
      batch.add(gauge("small", minute, 5));
      out.collect(batch.received("org-a", offset++, time(minute, 31)));
    }

    private static Metric.Builder gauge(String name, int minute, int series) {
      Gauge.Builder gauge = Gauge.newBuilder();
      for (int i = 0; i < series; i++) {
        gauge.addDataPoints(
            TestBatch.number(time(minute, 30), i).addAttributes(TestBatch.attribute("id", "" + i)));
      }
      return Metric.newBuilder().setName(name).setGauge(gauge);
    }
  }

  private static final class Declares implements FlatMapFunction<Long, ControlRecord> {
    private static final long serialVersionUID = 1L;

    @Override
    public void flatMap(Long start, Collector<ControlRecord> out) {
      out.collect(new ControlRecord("org-a/env-a/declared", new byte[] {7, 7}));
      out.collect(TestControl.metric("org-a", "declared", "id"));
    }
  }

  private static final class SaysNothing implements FlatMapFunction<Long, ControlRecord> {
    private static final long serialVersionUID = 1L;

    @Override
    public void flatMap(Long start, Collector<ControlRecord> out) {}
  }

  private static DataStream<ControlRecord> idle(
      StreamExecutionEnvironment environment,
      String name,
      FlatMapFunction<Long, ControlRecord> script) {
    return script(environment, name, script, ControlRecord.class)
        .assignTimestampsAndWatermarks(ControlSource.withoutEventTime())
        .setParallelism(1)
        .uid("test-" + name + "-watermarks");
  }

  private static <T> SingleOutputStreamOperator<T> script(
      StreamExecutionEnvironment environment,
      String name,
      FlatMapFunction<Long, T> script,
      Class<T> type) {
    return named(
        named(environment.fromSequence(0, 0).setParallelism(1), "test-start-" + name, "Starts")
            .flatMap(script, TypeInformation.of(type))
            .setParallelism(1),
        "test-" + name,
        "Scripted " + name);
  }

  private static String time(int minute, int second) {
    return "12:%02d:%02d".formatted(minute, second);
  }

  private static RouteInterval route(String metric) {
    return routes.collected().stream()
        .filter(route -> route.metric().equals(metric))
        .findFirst()
        .orElseThrow();
  }

  private static List<JsonNode> rows(CollectorSink<byte[]> bundles) throws Exception {
    List<JsonNode> rows = new ArrayList<>();
    for (byte[] bundle : bundles.collected()) {
      for (String line : new String(bundle, StandardCharsets.UTF_8).lines().toList()) {
        rows.add(JSON.readTree(line));
      }
    }
    return rows;
  }

  private static List<JsonNode> of(List<JsonNode> rows, String metric, long minute) {
    return rows.stream()
        .filter(row -> row.get("metric").asText().equals(metric))
        .filter(row -> row.get("timestamp").asLong() == minute)
        .toList();
  }

  private static double sum(int series) {
    return series * (series - 1) / 2.0;
  }

  private static double sum(List<JsonNode> rows) {
    return rows.stream().mapToDouble(row -> row.get("sum").asDouble()).sum();
  }

  private static long count(List<JsonNode> rows) {
    return rows.stream().mapToLong(row -> row.get("count").asLong()).sum();
  }

  private static int series(List<JsonNode> rows) {
    Set<String> ids = new HashSet<>();
    rows.forEach(row -> ids.add(row.get("series_id").asText()));
    return ids.size();
  }
}
