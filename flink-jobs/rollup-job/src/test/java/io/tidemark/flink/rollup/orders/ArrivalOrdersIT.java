package io.tidemark.flink.rollup.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever the order of arrival, and whatever fails on the way: rows of minutes, hours and days add
 * up to what plain SQL makes of all points at once. Counts, extremes, last values and buckets are
 * equal, sums are within 1e-9 of the sum of magnitudes. Metrics that are split add up at full
 * detail and without their labels; a tenant over its budget keeps its totals, and every series that
 * is not folded; the others do not notice. What is billed is what was received and what is written.
 *
 * <p>{@code -Dorders.seeds=100} tries more seeds, {@code -Dorders.seed=7} one seed again.
 */
class ArrivalOrdersIT {

  private static EmbeddedPostgres postgres;
  private static long unfolded;

  @TempDir Path checkpoints;

  @BeforeAll
  static void startPostgres() throws Exception {
    postgres = EmbeddedPostgres.start();
  }

  @AfterAll
  static void stopPostgres() throws Exception {
    postgres.close();
    assertTrue(
        unfolded > 0 || seeds().count() == 1, "of a tenant over its budget some keep their names");
  }

  static LongStream seeds() {
    Long one = Long.getLong("orders.seed");
    return one == null ? LongStream.range(0, Long.getLong("orders.seeds", 5)) : LongStream.of(one);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void rowsAddUpToWhatSqlMakesOfThePoints(long seed) throws Exception {
    Arrivals arrivals = Arrivals.of(seed);
    SplittableRandom shape = new SplittableRandom(seed);
    int parallelism = 2 + shape.nextInt(2);
    int failures = 1 + shape.nextInt(3);
    RollupRun run = new RollupRun();

    int failed = run.run(arrivals, parallelism, failures, checkpoints);

    try (Connection connection = postgres.getPostgresDatabase().getConnection()) {
      Recomputation recomputation = new Recomputation(connection);
      List<String> differences = recomputation.differences(arrivals, run);
      String told =
          "seed %d, parallelism %d, %d failures, %d partitions; records, counted, points taken,"
              + " points refused, cells, rows, of them split, series with a name of their own beside"
              + " the overflow, rows with buckets: %s";
      System.out.println(
          "ORDERS "
              + told.formatted(
                  seed, parallelism, failed, arrivals.partitions(), recomputation.summary()));
      assertEquals(
          List.of(), differences, () -> "Seed " + seed + ": run again with -Dorders.seed=" + seed);
      assertTrue(
          recomputation.count("emitted") > recomputation.count("expected"),
          "late points came as extra rows");
      // Which series are first, and so keep their names, changes from run to run.
      unfolded += recomputation.count("unfolded");
      assertTrue(recomputation.count("folded") > 0, "some series are folded");
      assertEquals(Set.of(World.CROWDED), Set.copyOf(run.budgets()), "whose budget is exceeded");
      assertTrue(recomputation.count("split_on_the_way") > 0, "some metrics are split on the way");
      assertEquals(failures, failed, "the job failed on the way");
    }
  }
}
