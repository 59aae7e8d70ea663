package io.tidemark.pipeline.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.DruidRows;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.OtlpSender.Point;
import io.tidemark.pipeline.support.RunningStack;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Minutes, hours and days of the same points agree in Druid, however late the points were. */
@ExtendWith(RunningStack.class)
@Order(8)
class RollupLevelsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(240);
  private static final String METRIC = "levels.requests";

  private final RunningStack.Started stack = RunningStack.get();
  private final DruidRows druid = new DruidRows(stack.coordinates().get("TIDEMARK_DRUID"));

  @Test
  void latePointsReachTheirMinuteTheirHourAndTheirDay() throws Exception {
    Instant day = Instant.now().truncatedTo(ChronoUnit.DAYS).minus(3, ChronoUnit.DAYS);
    TreeMap<Instant, Double> minutes = new TreeMap<>();
    TreeMap<Instant, Double> hours = new TreeMap<>();
    TreeMap<Instant, Double> days = new TreeMap<>();
    OtlpSender sender =
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization("org-ledger"));
    long value = 1;
    for (int batch = 0; batch < 10; batch++) {
      List<Point> points = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        Instant time = day.plusSeconds((batch * 50_021L + i * 3_571L) % (2 * 86_400));
        points.add(new Point(METRIC, Map.of("host", "h" + i % 4), time, value));
        minutes.merge(time.truncatedTo(ChronoUnit.MINUTES), (double) value, Double::sum);
        hours.merge(time.truncatedTo(ChronoUnit.HOURS), (double) value, Double::sum);
        days.merge(time.truncatedTo(ChronoUnit.DAYS), (double) value, Double::sum);
        value += 7;
      }
      byte[] body = OtlpSender.batch("levels", points).toByteArray();
      assertThat(sender.send(body).statusCode()).isEqualTo(200);
    }

    assertLevel("rollup_1m", "minute", day, minutes);
    assertLevel("rollup_1h", "hour", day, hours);
    assertLevel("rollup_1d", "day", day, days);
  }

  private void assertLevel(
      String datasource, String granularity, Instant from, TreeMap<Instant, Double> expected)
      throws InterruptedException {
    Await.until(
        datasource + " holds every point once",
        PATIENCE,
        () -> sums(datasource, granularity, from),
        expected::equals);
  }

  private TreeMap<Instant, Double> sums(String datasource, String granularity, Instant from)
      throws IOException, InterruptedException {
    TreeMap<Instant, Double> sums = new TreeMap<>();
    druid
        .figures(datasource, granularity, METRIC, "", from, from.plus(2, ChronoUnit.DAYS))
        .forEach((bucket, figures) -> sums.put(bucket.time(), figures.sum()));
    return sums;
  }
}
