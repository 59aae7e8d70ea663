package io.tidemark.flink.io.points.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.io.points.PointsRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.TimestampAssignerSupplier;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkGeneratorSupplier;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.clock.RelativeClock;
import org.junit.jupiter.api.Test;

/** A partition without records holds nobody back for longer than it is allowed to. */
class WatermarksTest {

  private static final Duration OUT_OF_ORDER = Duration.ofSeconds(5);
  private static final Duration IDLE = Duration.ofSeconds(5);

  private final WatermarkStrategy<PointsRecord> strategy =
      PointsSource.watermarks(OUT_OF_ORDER, IDLE);
  private final List<String> told = new ArrayList<>();
  private long now = 1_000_000_000L;
  private final WatermarkGenerator<PointsRecord> generator =
      strategy.createWatermarkGenerator(new Context());
  private final WatermarkOutput output = new Output();

  private final class Context
      implements WatermarkGeneratorSupplier.Context, TimestampAssignerSupplier.Context {
    @Override
    public MetricGroup getMetricGroup() {
      return new UnregisteredMetricsGroup();
    }

    @Override
    public RelativeClock getInputActivityClock() {
      return new RelativeClock() {
        @Override
        public long relativeTimeMillis() {
          return now / 1_000_000;
        }

        @Override
        public long relativeTimeNanos() {
          return now;
        }
      };
    }
  }

  private final class Output implements WatermarkOutput {
    @Override
    public void emitWatermark(Watermark watermark) {
      told.add(Long.toString(watermark.getTimestamp()));
    }

    @Override
    public void markIdle() {
      told.add("idle");
    }

    @Override
    public void markActive() {
      told.add("active");
    }
  }

  private void pass(Duration time) {
    now += time.toNanos();
    told.clear();
    generator.onPeriodicEmit(output);
  }

  private void receive(long eventTime) {
    generator.onEvent(null, eventTime, output);
  }

  @Test
  void aSilentPartitionComesUpToItsLatestPointAndIsIdleUntilTheNext() {
    receive(100_000);
    pass(Duration.ofMillis(200));
    assertEquals(List.of("95199"), told);
    pass(Duration.ofSeconds(4));
    assertEquals(List.of("99199"), told);
    pass(Duration.ofSeconds(1));
    assertEquals(List.of("99999"), told, "said before it is idle");
    pass(Duration.ofMillis(200));
    assertEquals(List.of("idle"), told);
    receive(110_500);
    pass(Duration.ofSeconds(1));
    assertEquals(List.of("106499"), told);
  }

  /** A sender whose batches follow each other is not late, however seldom it sends. */
  @Test
  void noPointAfterTheLatestIsEverLate() {
    receive(100_000);
    for (int i = 0; i < 100; i++) {
      pass(Duration.ofMillis(300));
      assertTrue(
          told.stream().allMatch(one -> one.equals("idle") || Long.parseLong(one) < 100_000));
    }
  }

  @Test
  void aPartitionWithoutRecordsIsIdleAfterAWhile() {
    pass(Duration.ofSeconds(1));
    assertEquals(List.of(), told);
    pass(IDLE);
    assertEquals(List.of("idle"), told);
  }

  @Test
  void anEarlierRecordMovesNothingBack() {
    receive(100_000);
    receive(20_000);
    pass(Duration.ofSeconds(1));
    assertEquals(List.of("95999"), told);
  }
}
