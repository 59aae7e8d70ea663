package io.tidemark.flink.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {

  private static final Instant FROM = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant TO = Instant.parse("2026-03-01T13:00:00Z");

  @TempDir Path folder;

  @Test
  void rowsThatAddUpToTheSameAreEqual() throws Exception {
    Comparison.Result result =
        compare(
            List.of(row(0, "s1", 3, 2, 1, 2, 2, 50), row(0, "s1", 10, 1, 10, 10, 10, 20)),
            List.of(row(0, "s1", 13, 3, 1, 10, 2, 50)));

    assertEquals(new Comparison.Result(2, 1, 1, 0, 0, List.of()), result);
  }

  @Test
  void everyFigureCounts() throws Exception {
    String live = row(0, "s1", 13, 3, 1, 10, 2, 50);

    assertEquals(1, compare(List.of(live), List.of(row(0, "s1", 14, 3, 1, 10, 2, 50))).differing());
    assertEquals(1, compare(List.of(live), List.of(row(0, "s1", 13, 4, 1, 10, 2, 50))).differing());
    assertEquals(1, compare(List.of(live), List.of(row(0, "s1", 13, 3, 2, 10, 2, 50))).differing());
    assertEquals(1, compare(List.of(live), List.of(row(0, "s1", 13, 3, 1, 11, 2, 50))).differing());
    assertEquals(1, compare(List.of(live), List.of(row(0, "s1", 13, 3, 1, 10, 3, 50))).differing());
  }

  @Test
  void missingAndSurplusCellsDifferAndAreNamed() throws Exception {
    Comparison.Result result =
        compare(
            List.of(row(0, "s1", 1, 1, 1, 1, 1, 5), row(1, "s1", 2, 1, 2, 2, 2, 65)),
            List.of(row(0, "s1", 1, 1, 1, 1, 1, 5), row(0, "s2", 4, 1, 4, 4, 4, 5)));

    assertEquals(3, result.cells());
    assertEquals(2, result.differing());
    assertEquals(
        List.of(
            "1m 2026-03-01T12:00:00Z cpu s2; sum live none, replayed 4.0; count live none, replayed"
                + " 1; min live none, replayed 4.0; max live none, replayed 4.0; last live none,"
                + " replayed 4.0",
            "1m 2026-03-01T12:01:00Z cpu s1; sum live 2.0, replayed none; count live 1, replayed"
                + " none; min live 2.0, replayed none; max live 2.0, replayed none; last live 2.0,"
                + " replayed none"),
        result.examples());
  }

  @Test
  void floatingSumsMayDifferByABillionthOfWhatWasAdded() throws Exception {
    String live = row(0, "s1", 0.3, 3, -1e6, 1e6, 0.5, 50);

    assertEquals(
        0, compare(List.of(live), List.of(row(0, "s1", 0.301, 3, -1e6, 1e6, 0.5, 50))).differing());
    assertEquals(
        1, compare(List.of(live), List.of(row(0, "s1", 0.31, 3, -1e6, 1e6, 0.5, 50))).differing());
  }

  @Test
  void histogramBucketsAreAddedUpAndCompared() throws Exception {
    String plain = row(0, "s1", 3, 3, 1, 1, 1, 50);
    String live = with(plain, "3|1025:1,2|1040:7");

    assertEquals(
        0,
        compare(
                List.of(live),
                List.of(
                    with(row(0, "s1", 1, 1, 1, 1, 1, 50), "3|1026:2|1040:8"),
                    with(row(0, "s1", 2, 2, 1, 1, 1, 20), "3|1025:1|1040:-1")))
            .differing());
    Comparison.Result other = compare(List.of(live), List.of(with(plain, "3|1025:2,1|1040:7")));
    assertEquals(1, other.differing());
    assertTrue(other.examples().get(0).endsWith("s1; other histogram buckets"), other::toString);
  }

  /** Druid adds panes of equal distributions up. */
  @Test
  void bucketsCountAsOftenAsThereArePanes() throws Exception {
    String pane = with(row(0, "s1", 3, 3, 1, 1, 1, 50), "3|1025:1,2");
    String added = with(row(0, "s1", 6, 6, 1, 1, 1, 50), "3|1025:1,2");

    assertEquals(
        0,
        compare(
                List.of(added.replace("\"pane_id\"", "\"panes\":2,\"pane_id\"")),
                List.of(pane, pane))
            .differing());
    assertEquals(1, compare(List.of(added), List.of(pane, pane)).differing());
  }

  @Test
  void windowsThatReachOutOfTheReplayAndOtherTenantsAreLeftOut() throws Exception {
    Comparison.Result result =
        compare(
            List.of(
                row(-1, "s1", 1, 1, 1, 1, 1, 5),
                row(60, "s1", 1, 1, 1, 1, 1, 5),
                row(0, "s1", 1, 1, 1, 1, 1, 5).replace("org-a", "org-b")),
            List.of());

    assertEquals(0, result.cells());
  }

  /** Live: a and b keep their names. Replayed: b and c do. */
  @Test
  void foldedSeriesAreComparedByTotals() throws Exception {
    List<String> live =
        List.of(
            row(0, "a", 1, 1, 1, 1, 1, 5),
            row(0, "b", 2, 1, 2, 2, 2, 5),
            folded(with(row(0, "o", 4, 1, 4, 4, 4, 5), "3|1025:1")),
            row(1, "a", 1, 1, 1, 1, 1, 65));
    List<String> replayed =
        List.of(
            row(0, "b", 2, 1, 2, 2, 2, 5),
            row(0, "c", 4, 1, 4, 4, 4, 5)
                .replace("\"pane_id\"", "\"distribution\":\"3|1025:1\",\"pane_id\""),
            folded(row(0, "o", 1, 1, 1, 1, 1, 5)),
            row(1, "a", 1, 1, 1, 1, 1, 65));

    assertEquals(new Comparison.Result(4, 4, 5, 0, 1, List.of()), compare(live, replayed));

    Comparison.Result lost =
        compare(live, List.of(replayed.get(0), replayed.get(1), replayed.get(3)));
    assertEquals(1, lost.differing());
    assertEquals(
        List.of(
            "1m 2026-03-01T12:00:00Z cpu total with folded series; sum live 7.0, replayed 6.0;"
                + " count live 3, replayed 2; min live 1.0, replayed 2.0"),
        lost.examples());

    List<String> otherBuckets = new ArrayList<>(replayed);
    otherBuckets.set(1, row(0, "c", 4, 1, 4, 4, 4, 5));
    assertEquals(1, compare(live, otherBuckets).differing(), "buckets of the total");
  }

  /** Other metrics of the environment are compared series by series. */
  @Test
  void onlyMetricsWithAnOverflowSeriesAreComparedByTotals() throws Exception {
    List<String> live = List.of(row(0, "a", 1, 1, 1, 1, 1, 5), folded(other("o", 4)));
    List<String> replayed = List.of(row(0, "b", 1, 1, 1, 1, 1, 5), folded(other("o", 4)));

    Comparison.Result result = compare(live, replayed);

    assertEquals(2, result.differing());
    assertEquals(0, result.totals());
  }

  /** The deepest overflow series has a name of its own: then all metrics are one total. */
  @Test
  void overflowOfAllMetricsIsComparedWithThem() throws Exception {
    String any = "\"metric\":\"tidemark.overflow\"";
    List<String> live = List.of(row(0, "a", 1, 1, 1, 1, 1, 5), row(0, "b", 2, 1, 2, 2, 2, 5));
    List<String> replayed =
        List.of(
            row(0, "a", 1, 1, 1, 1, 1, 5),
            folded(row(0, "o", 2, 1, 2, 2, 2, 5)).replace("\"metric\":\"cpu\"", any));

    assertEquals(0, compare(live, replayed).differing());
    assertEquals(1, compare(live, replayed.subList(1, 2)).differing());
  }

  private static String folded(String row) {
    return row.replace("\"pane_id\"", "\"metric.tidemark.overflow\":\"true\",\"pane_id\"");
  }

  private static String other(String series, double value) {
    return row(0, series, value, 1, value, value, value, 5).replace("\"cpu\"", "\"disk\"");
  }

  private Comparison.Result compare(List<String> live, List<String> replayed) throws Exception {
    try (Comparison comparison = new Comparison(folder, "org-a", FROM, TO)) {
      comparison.json("live", RollupTable.ROLLUP_1M, file("live", live));
      comparison.json("replayed", RollupTable.ROLLUP_1M, file("replayed", replayed));
      return comparison.result(10);
    }
  }

  private Path file(String name, List<String> rows) throws Exception {
    return Files.write(folder.resolve(name + ".ndjson"), rows);
  }

  private static String row(
      int minute,
      String series,
      double sum,
      long count,
      double min,
      double max,
      double last,
      int lastSecond) {
    long window = FROM.toEpochMilli() + minute * 60_000L;
    return "{\"timestamp\":%d,\"organization_id\":\"org-a\",\"environment_id\":\"env-a\",\"metric_type\":\"gauge\",\"unit\":\"1\",\"resource_type\":\"service\",\"resource_id\":\"shop\",\"metric\":\"cpu\",\"series_id\":\"%s\",\"sum\":%s,\"count\":%d,\"min\":%s,\"max\":%s,\"last\":%s,\"last_timestamp\":%d,\"pane_id\":\"p\"}"
        .formatted(
            window, series, sum, count, min, max, last, FROM.toEpochMilli() + lastSecond * 1000L);
  }

  private static String with(String row, String distribution) {
    return row.replace(",\"pane_id\"", ",\"distribution\":\"" + distribution + "\",\"pane_id\"");
  }
}
