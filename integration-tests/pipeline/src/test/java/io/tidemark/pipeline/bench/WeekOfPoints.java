package io.tidemark.pipeline.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** Seven days of points, one of each series every ten seconds, and their rows of hours and days. */
final class WeekOfPoints {
  static final String RAW = "bench_raw";
  public static final String HOURS = "bench_1h";
  public static final String DAYS = "bench_1d";

  private static final int LENGTH_IN_DAYS = 7;

  private static final int STEP_SECONDS = 10;

  /** One tier for all, whatever the time of day: the hot one has the last hours of any segment. */
  private static final String TIER = "_default_tier";

  private static final String METRIC = "bench.requests";

  private final BenchDruid druid;
  private final Path folder;
  private final List<BenchRows.Series> series;
  private final Instant end = Instant.now().truncatedTo(ChronoUnit.DAYS);
  private final Instant begin = end.minus(LENGTH_IN_DAYS, ChronoUnit.DAYS);
  private boolean isLoaded;

  WeekOfPoints(BenchDruid druid, Path folder, int series) {
    this.druid = druid;
    this.folder = folder;
    this.series = IntStream.range(0, series).mapToObj(WeekOfPoints::series).toList();
  }

  public String size() {
    return "%,d points of %d series"
        .formatted(series.size() * LENGTH_IN_DAYS * 86_400L / STEP_SECONDS, series.size());
  }

  /** A file that a task reads. */
  private record Loading(String task, Path file) {
    void await(BenchDruid druid) throws Exception {
      druid.await(task);
      Files.delete(file);
    }
  }

  /** Of the whole week. */
  StoreQuestion question(String datasource, String width, List<String> groupBy) {
    return new StoreQuestion(
        BenchRows.ORGANIZATION, datasource, METRIC, Map.of(), groupBy, width, begin, end);
  }

  /** Loads all once; a day is written while Druid takes the one before it. */
  public void load() throws Exception {
    if (isLoaded) {
      return;
    }
    druid.loadOn(RAW, TIER);
    druid.loadOn(HOURS, TIER);
    druid.loadOn(DAYS, TIER);
    Random random = new Random(7);
    BenchRows hours = new BenchRows(folder, HOURS);
    BenchRows days = new BenchRows(folder, DAYS);
    long points = 0;
    Loading before = null;
    for (int day = 0; day < LENGTH_IN_DAYS; day++) {
      BenchRows raw = new BenchRows(folder, RAW + day);
      double[] sumsOfDay = new double[series.size()];
      for (int hour = 0; hour < 24; hour++) {
        Instant start = begin.plus(day, ChronoUnit.DAYS).plus(hour, ChronoUnit.HOURS);
        double[] sums = new double[series.size()];
        for (int second = 0; second < 3_600; second += STEP_SECONDS) {
          for (int i = 0; i < series.size(); i++) {
            double value = random.nextInt(1_000);
            sums[i] += value;
            raw.add(start.plusSeconds(second), series.get(i), value, 1);
          }
        }
        for (int i = 0; i < series.size(); i++) {
          hours.add(start, series.get(i), sums[i], 3_600 / STEP_SECONDS);
          sumsOfDay[i] += sums[i];
        }
      }
      for (int i = 0; i < series.size(); i++) {
        days.add(
            begin.plus(day, ChronoUnit.DAYS), series.get(i), sumsOfDay[i], 86_400 / STEP_SECONDS);
      }
      raw.close();
      ObjectNode schema = druid.schema("rollup_1m", RAW);
      schema
          .withObject("/granularitySpec")
          .put("segmentGranularity", "DAY")
          .put("queryGranularity", "NONE")
          .put("rollup", false);
      if (before != null) {
        before.await(druid);
      }
      before = new Loading(druid.append(schema, raw.file()), raw.file());
      points += raw.rows();
    }
    before.await(druid);
    load("rollup_1h", HOURS, hours);
    load("rollup_1d", DAYS, days);
    druid.awaitRows(RAW, points);
    druid.awaitRows(HOURS, hours.rows());
    druid.awaitRows(DAYS, days.rows());
    isLoaded = true;
  }

  private void load(String declared, String datasource, BenchRows rows) throws Exception {
    rows.close();
    druid.await(druid.append(druid.schema(declared, datasource), rows.file()));
    Files.delete(rows.file());
  }

  private static BenchRows.Series series(int number) {
    return new BenchRows.Series(
        METRIC,
        "lkc-" + number % 5,
        number,
        Map.of("topic", "t" + number % 10, "partition", Integer.toString(number / 10)));
  }
}
