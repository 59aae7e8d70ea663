package io.tidemark.flink.model.panes.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
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
}
