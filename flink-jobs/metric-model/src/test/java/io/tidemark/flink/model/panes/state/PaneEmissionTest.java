package io.tidemark.flink.model.panes.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PaneEmissionTest {

  private static final long MINUTE = 60_000;

  private final TestingPanes group = new TestingPanes();

  /** The text of such rows is mostly the same, which is what makes late rows cheap. */
  @Test
  void rowsOfOneSeriesFollowEachOther() {
    group.value("cpu", 10, 1);
    group.value("disk", 10, 2);
    group.value("net", MINUTE + 10, 3);
    group.value("cpu", MINUTE + 10, 4);
    group.value("cpu", 2 * MINUTE + 10, 5);

    group.watermark(2 * MINUTE - 1);

    assertEquals(
        List.of("cpu MINUTE 0", "cpu MINUTE 60000", "disk MINUTE 0", "net MINUTE 60000"),
        group.inOrder);
  }

  @Test
  void windowsThatGoTogetherHaveNumbersOfTheirOwn() {
    for (int minute = 0; minute < 3; minute++) {
      group.value("cpu", minute * MINUTE, 1);
      group.value("disk", minute * MINUTE, 1);
    }

    group.watermark(3 * MINUTE - 1);

    Set<String> panes = new java.util.TreeSet<>();
    group.paneIds.forEach(id -> panes.add(id.substring(id.lastIndexOf('-'))));
    assertEquals(3, panes.size(), () -> "one number a window: " + group.paneIds);
    assertEquals(6, group.paneIds.size());
  }

  /** Druid sorts rows by what they begin with, and has little to do when they come so. */
  @Test
  void seriesGoInTheOrderOfTheirRowsOnceTheseAreWritten() {
    values(0, "net", "cpu", "disk");
    group.watermark(MINUTE - 1);
    assertEquals(List.of("net", "cpu", "disk"), metricsInOrder(), "no row was written before");

    values(MINUTE, "net", "cpu", "disk");
    group.watermark(2 * MINUTE - 1);
    assertEquals(List.of("cpu", "disk", "net"), metricsInOrder());

    // Late ones go another way.
    values(0, "net", "disk", "cpu");
    group.save();
    assertEquals(List.of("cpu", "disk", "net"), metricsInOrder());
  }

  @Test
  void fewNewSeriesGoLastUntilThereAreMore() {
    String[] known = IntStream.range(100, 132).mapToObj(i -> "m-" + i).toArray(String[]::new);
    values(0, known);
    group.watermark(MINUTE - 1);
    values(MINUTE, known);
    values(MINUTE, "a-1");
    group.watermark(2 * MINUTE - 1);
    group.inOrder.clear();

    values(2 * MINUTE, "a-1", "m-131", "m-100");
    group.watermark(3 * MINUTE - 1);
    assertEquals(List.of("m-100", "m-131", "a-1"), metricsInOrder());

    values(3 * MINUTE, "a-3", "a-2", "a-0");
    group.watermark(4 * MINUTE - 1);
    group.inOrder.clear();
    values(4 * MINUTE, "m-131", "a-1", "a-3", "m-100", "a-2", "a-0");
    group.watermark(5 * MINUTE - 1);
    assertEquals(List.of("a-0", "a-1", "a-2", "a-3", "m-100", "m-131"), metricsInOrder());
  }

  private void values(long time, String... metrics) {
    for (String metric : metrics) {
      group.value(metric, time, 1);
    }
  }

  private List<String> metricsInOrder() {
    List<String> metrics =
        group.inOrder.stream().map(row -> row.substring(0, row.indexOf(' '))).toList();
    group.inOrder.clear();
    return metrics;
  }
}
