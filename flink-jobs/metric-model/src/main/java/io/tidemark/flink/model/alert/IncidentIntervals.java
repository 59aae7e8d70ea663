package io.tidemark.flink.model.alert;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The incidents of a stretch of decided minutes, and how those of a new decision relate to them.
 */
final class IncidentIntervals {

  /** An incident; {@code end} is {@link #OPEN} while it lasts. */
  record Interval(long key, long start, long end) {
    boolean isOpen() {
      return end == OPEN;
    }

    private boolean overlaps(Interval other) {
      return start < other.end && other.start < end;
    }

    private Interval named(long newKey) {
      return new Interval(newKey, start, end);
    }
  }

  /** An incident before and after; one of them is null. */
  record Change(@Nullable Interval before, @Nullable Interval after) {}

  static final long OPEN = Long.MAX_VALUE;

  private IncidentIntervals() {}

  /**
   * @param before status of the minute before the first
   * @param statuses of the minutes, without a gap
   */
  static List<Interval> of(AlertStatus before, long first, List<AlertStatus> statuses) {
    List<Interval> intervals = new ArrayList<>();
    AlertStatus open = before.isOpen() ? before : null;
    long minute = first;
    for (AlertStatus status : statuses) {
      boolean isSame =
          open != null && status.isOpen() && status.incidentKey() == open.incidentKey();
      if (open != null && !isSame) {
        intervals.add(new Interval(open.incidentKey(), open.incidentSince(), minute));
      }
      if (!isSame) {
        open = status.isOpen() ? status : null;
      }
      minute += MinuteTotals.MINUTE_MS;
    }
    if (open != null) {
      intervals.add(new Interval(open.incidentKey(), open.incidentSince(), OPEN));
    }
    return intervals;
  }

  /**
   * Which incident of the new decision is which of the old: one that overlaps. The new ones get the
   * keys of the old, or others that no incident had; {@code keys} gets them by the start of each.
   *
   * @param newKey a key that no incident of the group had, by the start of an incident
   */
  static List<Change> changes(
      List<Interval> old, List<Interval> decided, LongUnaryOperator newKey, Map<Long, Long> keys) {
    List<Change> changes = new ArrayList<>();
    List<Interval> left = new ArrayList<>(old);
    for (Interval interval : decided) {
      Interval same = null;
      for (Interval candidate : left) {
        if (candidate.overlaps(interval)) {
          same = candidate;
          break;
        }
      }
      long key;
      if (same != null) {
        left.remove(same);
        key = same.key();
      } else {
        key = newKey.applyAsLong(interval.start());
      }
      keys.put(interval.start(), key);
      changes.add(new Change(same, interval.named(key)));
    }
    left.forEach(gone -> changes.add(0, new Change(gone, null)));
    return changes;
  }
}
