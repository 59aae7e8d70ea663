package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.model.panes.state.KeyGroupPanes;
import java.util.Arrays;
import java.util.Collection;

/**
 * The watermark between its arrival and the panes. In a backlog nobody reads rows before the next
 * checkpoint commits them, so complete minutes wait for points that come late until shortly before
 * its barrier. Those of a job that keeps up go at once: {@link CompletenessReporter} asks for the
 * checkpoint that commits them. They go one key group after the other, between bundles.
 */
final class WatermarkHoldback {

  /** Rows written in a millisecond; on a slower machine more of them are left to the barrier. */
  private static final double ROWS_PER_MS = 1_000;

  /** Time for the watermarks that come while rows are written. */
  private static final long MARGIN_MS = 100;

  /** Event time of a job that keeps up is behind the clock by less. */
  private static final long KEEPS_UP_MS = 30_000;

  /** Rows written in one step while no bundles come. */
  private static final long MAX_AT_ONCE = 16_384;

  private final KeyGroupPanes[] groups;
  private final long[] reached;
  private final long maxCells;
  private final CheckpointForecast checkpointForecast;

  private long latest = Long.MIN_VALUE;
  private long waitingCells;
  private int next;

  /**
   * Nothing came yet.
   *
   * @param maxCells that wait, in cells of numbers; with more of them groups go without a barrier
   * @param nextBarrier while it is not foreseen nothing waits
   */
  WatermarkHoldback(
      Collection<KeyGroupPanes> groups, long maxCells, CheckpointForecast checkpointForecast) {
    this.groups = groups.toArray(KeyGroupPanes[]::new);
    this.reached = new long[this.groups.length];
    this.maxCells = maxCells;
    this.checkpointForecast = checkpointForecast;
    Arrays.fill(reached, Long.MIN_VALUE);
  }

  /** It came there. */
  void came(long watermark, long now) {
    latest = watermark;
    for (int i = 0; i < groups.length; i++) {
      groups[i].passes(watermark);
      if (groups[i].isCrowded()) {
        release(i, now);
      }
    }
    waitingCells = Arrays.stream(groups).mapToLong(KeyGroupPanes::waitingCells).sum();
    boolean isEnd = watermark == Long.MAX_VALUE;
    if (isEnd
        || waitingCells == 0
        || waitingCells > 2 * maxCells
        || !checkpointForecast.isForeseen(now)) {
      releaseAll(now);
    } else {
      for (long before = waitingCells;
          isDue(now) && waitingCells > 0 && before - waitingCells < MAX_AT_ONCE; ) {
        releaseNext(now);
      }
      if (waitingCells == 0) {
        releaseAll(now);
      }
    }
  }

  /** Between bundles. */
  void step(long now) {
    if (waitingCells > 0 && isDue(now)) {
      releaseNext(now);
    }
  }

  /** Before a barrier: nothing waits over it. */
  void releaseAll(long now) {
    for (int i = 0; i < groups.length; i++) {
      release(i, now);
    }
  }

  /** How far all groups have come. */
  long reached() {
    return Arrays.stream(reached).min().orElse(latest);
  }

  private boolean isDue(long now) {
    return waitingCells > maxCells
        || now - latest < KEEPS_UP_MS
        || checkpointForecast.rowsDueAt() - now <= MARGIN_MS + waitingCells / ROWS_PER_MS;
  }

  private void releaseNext(long now) {
    for (int tried = 0; tried < groups.length; tried++) {
      int group = next;
      next = (next + 1) % groups.length;
      if (groups[group].waitingCells() > 0) {
        release(group, now);
        return;
      }
    }
    waitingCells = 0;
  }

  private void release(int group, long now) {
    if (reached[group] < latest) {
      waitingCells -= groups[group].waitingCells();
      groups[group].watermark(latest, now);
      reached[group] = latest;
    }
  }
}
