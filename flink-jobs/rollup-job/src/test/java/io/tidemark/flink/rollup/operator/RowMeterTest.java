package io.tidemark.flink.rollup.operator;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.flink.io.usage.CountedIncrement;
import io.tidemark.flink.io.usage.EncodedIncrements;
import io.tidemark.flink.model.budget.TenantLimits;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.rollup.PaneTiming;
import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.testing.TestPoints;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What RollupOperator tells of rows to who bills them. */
class RowMeterTest {

  private static final int KEY_GROUPS = 128;

  /** Ten series of an environment are apart, the others are folded. */
  private static final TenantLimits FEW = new TenantLimits(10, 1_000, 64, 64, 64);

  private final TestPoints points = new TestPoints();
  private KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> rollUp;

  @BeforeEach
  void open() throws Exception {
    rollUp = harness(new RollupOperator(PaneTiming.DEFAULT, KEY_GROUPS, "points"));
    rollUp.open();
    rollUp.setProcessingTime(at("12:00:10"));
  }

  @AfterEach
  void close() throws Exception {
    rollUp.close();
  }

  private static KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> harness(
      RollupOperator operator) throws Exception {
    return new KeyedOneInputStreamOperatorTestHarness<>(
        operator.withMetering(true),
        new BundleKeySelector(KEY_GROUPS),
        Types.INT,
        KEY_GROUPS,
        1,
        0);
  }

  private void send(SeriesDescriptor series, String time) throws Exception {
    send(series, time, TenantLimits.NONE);
  }

  private void send(SeriesDescriptor series, String time, TenantLimits limits) throws Exception {
    MetricPoint point = points.value(series, time, 1);
    for (byte[] bundle : RowsOfBundles.bundles(point, KEY_GROUPS, limits)) {
      rollUp.processElement(new StreamRecord<>(bundle));
    }
  }

  private static SeriesDescriptor series(String metric, String unit, int number) {
    return new SeriesDescriptor(
        "org-a",
        "env-a",
        metric,
        MetricKind.GAUGE,
        unit,
        Map.of("service.name", "shop"),
        Map.of("zone", Integer.toString(number)));
  }

  private List<CountedIncrement> metered() throws Exception {
    rollUp.prepareSnapshotPreBarrier(1);
    return told();
  }

  private List<CountedIncrement> told() {
    List<CountedIncrement> increments = new ArrayList<>();
    Queue<StreamRecord<EncodedIncrements>> told = rollUp.getSideOutput(IncrementOutput.TAG);
    while (told != null && !told.isEmpty()) {
      increments.addAll(CountedIncrement.of(told.remove().getValue().increments()));
    }
    return increments;
  }

  @Test
  void rowsAddUpByLevelUntilTheBarrierUnderTheHourOfTheClock() throws Exception {
    send(series("cpu", "1", 1), "09:00:05");
    send(series("cpu", "1", 2), "09:00:05");
    send(series("cpu", "By", 1), "09:01:05");
    rollUp.processWatermark(at("10:00:05"));
    assertTrue(told().isEmpty(), "nothing before the barrier");

    List<CountedIncrement> metered = metered();

    assertEquals(1, metered.size(), "units differ, the subject is one");
    assertEquals(at("12:00:00"), metered.get(0).hour().startUnixMs());
    assertEquals("cpu", metered.get(0).hour().subject().metric());
    assertEquals("shop", metered.get(0).hour().subject().resourceId());
    assertEquals(3, metered.get(0).rows().rowsOfMinutes());
    assertEquals(3, metered.get(0).rows().rowsOfHours());
    assertEquals(0, metered.get(0).rows().rowsOfDays());
    assertEquals(3, metered.get(0).series().size());
    assertTrue(metered().isEmpty(), "nothing is held over a barrier");
  }

  @Test
  void aSeriesIsShownOnceAnHourOfTheClock() throws Exception {
    send(series("cpu", "1", 1), "12:00:05");
    rollUp.processWatermark(at("12:01:05"));
    assertEquals(1, metered().get(0).series().size());
    send(series("cpu", "1", 1), "12:01:06");
    rollUp.processWatermark(at("12:02:05"));
    assertEquals(List.of(), metered().get(0).series());

    rollUp.setProcessingTime(at("13:00:00"));
    send(series("cpu", "1", 1), "12:02:06");
    rollUp.processWatermark(at("12:03:05"));

    CountedIncrement next = metered().get(0);
    assertEquals(at("13:00:00"), next.hour().startUnixMs());
    assertEquals(1, next.series().size());
  }

  /** The clock goes on between barriers: rows before are of the hour that is over. */
  @Test
  void rowsOfTwoHoursOfTheClockAreToldApart() throws Exception {
    send(series("cpu", "1", 1), "12:00:05");
    rollUp.processWatermark(at("12:01:05"));
    rollUp.setProcessingTime(at("13:00:00"));
    send(series("cpu", "1", 1), "12:01:06");
    rollUp.processWatermark(at("12:02:05"));

    assertEquals(
        List.of(at("12:00:00"), at("13:00:00")),
        metered().stream().map(one -> one.hour().startUnixMs()).toList());
  }

  /** Rows that were rolled back are written again, and told of again with them. */
  @Test
  void aRestartShowsASeriesAgainAndCountsEachRowWithItsCheckpoint() throws Exception {
    send(series("cpu", "1", 1), "12:00:05");
    OperatorSubtaskState snapshot = rollUp.snapshot(1, 1);
    rollUp.processWatermark(at("12:01:05"));
    assertEquals(1, metered().get(0).rows().rowsOfMinutes());
    rollUp.close();
    rollUp = harness(new RollupOperator(PaneTiming.DEFAULT, KEY_GROUPS, "points"));
    rollUp.setProcessingTime(at("12:00:10"));
    rollUp.initializeState(snapshot);
    rollUp.open();
    rollUp.processWatermark(at("12:01:05"));

    CountedIncrement again = metered().get(0);
    assertEquals(1, again.rows().rowsOfMinutes());
    assertEquals(1, again.series().size());
  }

  @Test
  void rowsOfAnOverflowSeriesAreRowsAndItIsNoSeries() throws Exception {
    for (int i = 0; i < 300; i++) {
      send(series("cpu", "1", i), "12:00:05", FEW);
    }
    rollUp.processWatermark(at("12:01:05"));

    List<JsonNode> rows = RowsOfBundles.rows(rollUp.extractOutputValues());
    long overflow = rows.stream().filter(row -> row.has("metric.tidemark.overflow")).count();
    CountedIncrement metered = metered().get(0);
    assertTrue(overflow > 0, "some are folded");
    assertEquals(rows.size(), metered.rows().rowsOfMinutes());
    assertEquals(rows.size() - overflow, metered.series().size());
  }

  /** Full detail is rows and no series; the reduced rows show theirs in the operator of reduced. */
  @Test
  void splitMinutesAreRowsInDetail() throws Exception {
    rollUp.close();
    rollUp =
        harness(
            new RollupOperator(PaneTiming.DEFAULT, KEY_GROUPS, "points")
                .withPublished(
                    List.of(
                        new RouteInterval(
                            "org-a",
                            "env-a",
                            "cpu",
                            new String[] {"zone"},
                            at("11:00:00"),
                            RouteInterval.OPEN,
                            RouteInterval.Why.DECLARED,
                            2))));
    rollUp.open();
    rollUp.setProcessingTime(at("12:00:10"));
    send(series("cpu", "1", 1), "12:00:05");
    send(series("cpu", "1", 2), "12:00:05");
    rollUp.processWatermark(at("12:01:05"));

    CountedIncrement detail = metered().get(0);
    assertEquals(2, detail.rows().rowsInDetail());
    assertEquals(0, detail.rows().rowsOfMinutes());
    assertEquals(List.of(), detail.series());

    List<byte[]> reduced = side(RollupOperator.REDUCED);
    rollUp.close();
    rollUp = harness(RollupOperator.ofReduced(PaneTiming.DEFAULT, KEY_GROUPS, "points"));
    rollUp.open();
    rollUp.setProcessingTime(at("12:00:10"));
    for (byte[] bundle : reduced) {
      rollUp.processElement(new StreamRecord<>(bundle));
    }
    rollUp.processWatermark(at("12:01:05"));

    CountedIncrement one = metered().get(0);
    assertEquals(1, one.rows().rowsOfMinutes());
    assertEquals(1, one.series().size());
  }

  private List<byte[]> side(OutputTag<byte[]> tag) {
    Queue<StreamRecord<byte[]>> bundles = rollUp.getSideOutput(tag);
    return bundles == null ? List.of() : bundles.stream().map(StreamRecord::getValue).toList();
  }

  /** Late points, barriers and hours of the clock in any order: what is written is what is told. */
  @Test
  void generatedRowsAreMeteredAsTheyAreWritten() throws Exception {
    Random random = new Random(104);
    Map<String, Long> told = new TreeMap<>();
    Set<String> shown = new TreeSet<>();
    long clock = at("12:00:10");
    long watermark = at("12:00:00");
    for (int step = 0; step < 4_000; step++) {
      int minute = random.nextInt(180);
      send(
          series("m" + random.nextInt(12), random.nextInt(5) == 0 ? "By" : "1", random.nextInt(40)),
          "%02d:%02d:05".formatted(11 + minute / 60, minute % 60),
          random.nextBoolean() ? FEW : TenantLimits.NONE);
      if (random.nextInt(40) == 0) {
        watermark += random.nextInt(300_000);
        rollUp.processWatermark(watermark);
      }
      if (random.nextInt(60) == 0) {
        clock += random.nextInt(200_000);
        rollUp.setProcessingTime(clock);
      }
      if (random.nextInt(100) == 0) {
        add(metered(), told, shown);
      }
    }
    rollUp.processWatermark(Long.MAX_VALUE);
    add(told(), told, shown);

    Map<String, Long> written = new TreeMap<>();
    Set<String> series = new TreeSet<>();
    count(rollUp.extractOutputValues(), "minutes", written, series);
    count(side(RollupOperator.HOURS), "hours", written, new TreeSet<>());
    count(side(RollupOperator.DAYS), "days", written, new TreeSet<>());
    assertEquals(written, told);
    assertEquals(series, shown);
    assertTrue(written.values().stream().mapToLong(Long::longValue).sum() > 3_000);
  }

  private static void add(
      List<CountedIncrement> increments, Map<String, Long> told, Set<String> shown) {
    for (CountedIncrement one : increments) {
      String metric = one.hour().subject().metric() + " ";
      told.merge(metric + "minutes", one.rows().rowsOfMinutes(), Long::sum);
      told.merge(metric + "hours", one.rows().rowsOfHours(), Long::sum);
      told.merge(metric + "days", one.rows().rowsOfDays(), Long::sum);
      shown.addAll(one.series());
    }
    told.values().removeIf(rows -> rows == 0);
  }

  private static void count(
      List<byte[]> bundles, String level, Map<String, Long> written, Set<String> series)
      throws Exception {
    for (JsonNode row : RowsOfBundles.rows(bundles)) {
      written.merge(row.get("metric").asText() + " " + level, 1L, Long::sum);
      if (!row.has("metric.tidemark.overflow")) {
        series.add(row.get("series_id").asText());
      }
    }
  }
}
