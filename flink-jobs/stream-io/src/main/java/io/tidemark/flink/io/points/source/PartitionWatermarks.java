package io.tidemark.flink.io.points.source;

import io.tidemark.flink.io.points.PointsRecord;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.util.clock.RelativeClock;

/**
 * Event time of one partition: behind its latest point by what points may be out of order, less as
 * long as nothing more comes. It never passes that point, so a sender whose batches follow each
 * other is not late, however seldom it sends. A partition that was silent for long enough is idle,
 * and others go on without it.
 */
final class PartitionWatermarks implements WatermarkGenerator<PointsRecord> {

  private final long outOfOrderMs;
  private final long idleMs;
  private final RelativeClock clock;

  private long latest;
  private long cameAt;
  private boolean isIdle = true;

  /**
   * No point came yet.
   *
   * @param clock stands while records wait to be processed
   */
  PartitionWatermarks(Duration outOfOrderness, Duration idleness, RelativeClock clock) {
    this.outOfOrderMs = outOfOrderness.toMillis();
    this.idleMs = idleness.toMillis();
    this.clock = clock;
    this.latest = Long.MIN_VALUE + outOfOrderMs + 1;
    this.cameAt = clock.relativeTimeMillis();
  }

  @Override
  public void onEvent(PointsRecord record, long eventTimestamp, WatermarkOutput output) {
    latest = Math.max(latest, eventTimestamp);
    cameAt = clock.relativeTimeMillis();
    isIdle = false;
  }

  @Override
  public void onPeriodicEmit(WatermarkOutput output) {
    long silentMs = clock.relativeTimeMillis() - cameAt;
    if (isIdle) {
      if (silentMs >= idleMs) {
        output.markIdle();
      }
      return;
    }
    output.emitWatermark(new Watermark(latest - Math.max(0, outOfOrderMs - silentMs) - 1));
    // Flink passes over what an idle partition says, so it is said once before.
    isIdle = silentMs >= idleMs;
  }
}
