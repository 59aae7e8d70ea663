package io.tidemark.flink.lake.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class MergePlanTest {

  private static final Upkeep UPKEEP =
      new Upkeep(Duration.ofSeconds(1), 4, 1_000, Duration.ofHours(1), Duration.ofDays(7));

  private record File(String partition, long rows) {}

  @Test
  void fewFilesAreLeftAlone() {
    assertEquals(List.of(), plan(List.of(small("a"), small("a"), small("a"), small("b"))));
  }

  @Test
  void smallFilesOfAPartitionAreMerged() {
    List<File> files = new ArrayList<>(Collections.nCopies(5, small("a")));
    files.addAll(Collections.nCopies(4, small("b")));

    List<List<File>> groups = plan(files);

    assertEquals(2, groups.size());
    assertEquals(5, groups.get(0).size());
    assertTrue(groups.get(1).stream().allMatch(file -> file.partition().equals("b")));
  }

  @Test
  void largeFilesAreNotWrittenAgain() {
    List<File> files = new ArrayList<>(Collections.nCopies(4, small("a")));
    files.add(new File("a", 500));

    assertEquals(4, plan(files).get(0).size());
  }

  @Test
  void mergedFilesStayBelowTheLimit() {
    List<List<File>> groups = plan(Collections.nCopies(30, new File("a", 100)));

    assertEquals(1, groups.size());
    assertEquals(10, groups.get(0).size());
  }

  /** Merged again and again, a row is written about as often as there are orders of magnitude. */
  @Test
  void rowsAreWrittenAFewTimesOnly() {
    Upkeep upkeep =
        new Upkeep(Duration.ofSeconds(1), 8, 1_000_000, Duration.ofHours(1), Duration.ofDays(7));
    List<File> table = new ArrayList<>();
    long written = 0;
    long rows = 0;
    for (int commit = 0; commit < 4_000; commit++) {
      table.add(new File("a", 100));
      rows += 100;
      for (List<File> group :
          MergePlan.of(table, File::partition, File::rows, upkeep, Long.MAX_VALUE)) {
        long merged = group.stream().mapToLong(File::rows).sum();
        for (File file : group) {
          table.remove(file);
        }
        table.add(new File("a", merged));
        written += merged;
      }
    }
    assertTrue(table.size() < 40, "files " + table.size());
    assertTrue(written < rows * 6, "each row written " + (double) written / (double) rows);
  }

  private static List<List<File>> plan(List<File> files) {
    return MergePlan.of(files, File::partition, File::rows, UPKEEP, Long.MAX_VALUE);
  }

  private static File small(String partition) {
    return new File(partition, 10);
  }
}
