package io.tidemark.flink.lake.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.iceberg.io.FileInfo;
import org.junit.jupiter.api.Test;

/** A file that a snapshot holds is none, however the store spells its name. */
class OrphansTest {
  private static final long NOW = 1_000_000;
  private static final Duration AGE = Duration.ofMinutes(1);
  private static final long OLD = NOW - AGE.toMillis() - 1;
  private static final String FOLDER =
      "abfss://lake@account.dfs.core.windows.net/warehouse/t/data/";

  private static List<String> orphans(String held, String... listed) {
    List<FileInfo> files =
        Stream.concat(
                Stream.of(new FileInfo(FOLDER + "newest.parquet", 1, NOW)),
                Stream.of(listed).map(location -> new FileInfo(location, 1, OLD)))
            .toList();
    return Orphans.among(files, FOLDER, Set.of(Orphans.path(held)), NOW, AGE);
  }

  @Test
  void aStoreMayNameFilesFromItsRootOn() {
    assertEquals(
        List.of(FOLDER + "day=2/b.parquet"),
        orphans(
            FOLDER + "day=1/a.parquet",
            "warehouse/t/data/day=1/a.parquet",
            "warehouse/t/data/day=2/b.parquet"));
  }

  @Test
  void aStoreMaySpellItsOwnNameInAnotherWay() {
    assertEquals(
        List.of(),
        orphans(
            FOLDER + "day=1/a.parquet",
            "abfs://lake@account.blob.core.windows.net/warehouse/t/data/day=1/a.parquet"));
    assertEquals("tmp/t/data/a.parquet", Orphans.path("file:///tmp/t/data/a.parquet"));
    assertEquals("tmp/t/data/a.parquet", Orphans.path("file:/tmp/t/data/a.parquet"));
    assertEquals("tmp/t/data/a.parquet", Orphans.path("/tmp/t/data/a.parquet"));
    assertEquals("t/data/h=12:00/a.parquet", Orphans.path("s3://lake/t/data/h=12:00/a.parquet"));
    assertEquals("t/data/h=12:00/a.parquet", Orphans.path("t/data/h=12:00/a.parquet"));
  }

  @Test
  void filesOfAnotherFolderAndYoungOnesStay() {
    assertEquals(
        List.of(), orphans(FOLDER + "a.parquet", "warehouse/other/data/b.parquet", "b.parquet"));
    assertEquals(List.of(), aged(NOW, NOW - AGE.toMillis(), NOW));
  }

  @Test
  void aClockThatIsAheadMakesNoFileOld() {
    assertEquals(List.of(FOLDER + "a"), aged(NOW, OLD, NOW));
    assertEquals(List.of(), aged(NOW + Duration.ofDays(365).toMillis(), NOW - 1, NOW));
  }

  /** Of a file and a later one, by a clock that says {@code now}. */
  private static List<String> aged(long now, long file, long later) {
    return Orphans.among(
        List.of(new FileInfo(FOLDER + "a", 1, file), new FileInfo(FOLDER + "b", 1, later)),
        FOLDER,
        Set.of(),
        now,
        AGE);
  }
}
