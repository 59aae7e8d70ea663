package io.tidemark.flink.alert.signal;

import static io.tidemark.flink.model.alert.MinuteTotals.MINUTE_MS;

import io.tidemark.flink.alert.packed.PackedInput;
import io.tidemark.flink.alert.packed.PackedOutput;
import io.tidemark.flink.model.alert.AlertGroup;
import io.tidemark.flink.model.alert.AlertGroupEvaluator;
import io.tidemark.flink.model.alert.AlertStatus;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A group of a rule that is not, or was not within the hour, what most groups are: normal, with
 * nothing to tell. Its decisions are stored minute by minute; those of before it was tracked follow
 * from the minute since which it was normal.
 */
final class TrackedGroup {

  /** Minutes before the last decided one whose decisions are still asked for, and that one. */
  static final long KEPT_MS = AlertGroupEvaluator.REVISED.toMillis() + 2 * MINUTE_MS;

  private AlertGroup group;

  /** The first decided minute; the greatest number before there is one. */
  private long firstDecided;

  /** Decided minutes before it were normal since {@link #quietSince}. */
  private long quietUntil;

  private long quietSince;

  /** No decided minute from it on was anything but normal. */
  private long oddUntil;

  /** Nothing is decided any more. */
  private boolean isReleased;

  /** Decisions that are not stored yet. */
  private final TreeMap<Long, AlertStatus> fresh = new TreeMap<>();

  private TrackedGroup(AlertGroup group, long firstDecided, long quietSince, long quietUntil) {
    this.group = group;
    this.firstDecided = firstDecided;
    this.quietSince = quietSince;
    this.quietUntil = quietUntil;
    this.oddUntil = Long.MIN_VALUE;
  }

  /** A group of which no minute was decided. */
  static TrackedGroup begin(AlertGroup group) {
    return new TrackedGroup(group, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE);
  }

  /** A group that was normal in all minutes that can be asked for. */
  static TrackedGroup ofQuiet(AlertGroup group) {
    long since = group.status().since();
    return new TrackedGroup(group, since, since, group.decidedUntil());
  }

  AlertGroup group() {
    return group;
  }

  void put(AlertGroup now) {
    group = now;
  }

  boolean isReleased() {
    return isReleased;
  }

  void release() {
    isReleased = true;
  }

  /** What is known of a minute without the state; null when nothing is, or it was not decided. */
  @Nullable AlertStatus known(long minute) {
    AlertStatus decided = fresh.get(minute);
    if (decided != null) {
      return decided;
    }
    return minute < quietUntil && !isBeyond(minute)
        ? AlertStatus.normal(quietSince, Double.NaN)
        : null;
  }

  /** Whether a minute was not decided, or so long ago that nobody asks. */
  boolean isBeyond(long minute) {
    return minute < firstDecided
        || minute < group.decidedUntil() - KEPT_MS
        || minute >= group.decidedUntil();
  }

  void decide(long minute, AlertStatus status) {
    firstDecided = Math.min(firstDecided, minute);
    // Minutes are decided anew from one on, and all that follow are.
    quietUntil = Math.min(quietUntil, minute);
    if (!status.isQuiet()) {
      oddUntil = Math.max(oddUntil, minute + MINUTE_MS);
    }
    fresh.put(minute, status);
    while (fresh.firstKey() < fresh.lastKey() - KEPT_MS) {
      fresh.pollFirstEntry();
    }
  }

  TreeMap<Long, AlertStatus> fresh() {
    return fresh;
  }

  /** Whether all decisions that can be asked for are normal since the same minute. */
  boolean isQuiet() {
    long since = group.status().since();
    long oldest = group.decidedUntil() - KEPT_MS;
    return group.isQuiet()
        && oddUntil <= Math.max(since, oldest)
        && (firstDecided >= since || since <= oldest);
  }

  void pack(PackedOutput out) {
    long at = group.decidedUntil();
    out.writeSigned(at);
    writeTime(out, group.dirtyFrom(), at);
    writeTime(out, group.lastData(), at);
    out.writeUnsigned(group.sequence());
    out.writeUnsigned(group.told());
    StatusForm.write(out, group.status(), at);
    writeTime(out, firstDecided, at);
    writeTime(out, quietSince, at);
    writeTime(out, quietUntil, at);
    writeTime(out, oddUntil, at);
  }

  /** The greatest and the least number are far from any time; they wrap around and come back. */
  private static void writeTime(PackedOutput out, long time, long at) {
    out.writeSigned(time - at);
  }

  static TrackedGroup unpack(PackedInput in, String signal, String labels) {
    long at = in.readSigned();
    long dirtyFrom = in.readSigned() + at;
    long lastData = in.readSigned() + at;
    long sequence = in.readUnsigned();
    int told = in.readCount();
    AlertStatus status = StatusForm.read(in, at);
    TrackedGroup read =
        new TrackedGroup(
            new AlertGroup(signal, labels, at, dirtyFrom, lastData, sequence, told, status),
            in.readSigned() + at,
            in.readSigned() + at,
            in.readSigned() + at);
    read.oddUntil = in.readSigned() + at;
    return read;
  }
}
