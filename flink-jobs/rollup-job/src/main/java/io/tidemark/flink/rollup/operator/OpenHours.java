package io.tidemark.flink.rollup.operator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Units since the last barrier by hour and number of the subject. A batch is of one hour, so what
 * it adds to is found by the number of a subject alone.
 */
final class OpenHours {

  private static final int FIRST_SIZE = 64;

  /** Units of a subject in an hour. */
  static final class OpenUnits {
    final long hourUnixMs;
    final int subject;
    long points;
    long bytes;
    long pointsSetAside;
    long pointsWithoutValue;

    private OpenUnits(long hourUnixMs, int subject) {
      this.hourUnixMs = hourUnixMs;
      this.subject = subject;
    }
  }

  /** Units of an hour. */
  final class OpenHour {
    private final long startUnixMs;
    private @Nullable OpenUnits[] bySubject = new @Nullable OpenUnits[FIRST_SIZE];

    private OpenHour(long startUnixMs) {
      this.startUnixMs = startUnixMs;
    }

    OpenUnits unitsOf(int subject) {
      OpenUnits known = subject < bySubject.length ? bySubject[subject] : null;
      return known == null ? open(subject) : known;
    }

    private OpenUnits open(int subject) {
      if (subject >= bySubject.length) {
        bySubject = Arrays.copyOf(bySubject, Math.max(subject + 1, 2 * bySubject.length));
      }
      OpenUnits opened = new OpenUnits(startUnixMs, subject);
      bySubject[subject] = opened;
      units.add(opened);
      return opened;
    }
  }

  private final List<OpenHour> hours = new ArrayList<>();
  private final List<OpenUnits> units = new ArrayList<>();

  /** The hour that starts there. */
  OpenHour hour(long startUnixMs) {
    for (OpenHour hour : hours) {
      if (hour.startUnixMs == startUnixMs) {
        return hour;
      }
    }
    OpenHour opened = new OpenHour(startUnixMs);
    hours.add(opened);
    return opened;
  }

  /** How many hours are open. */
  int hours() {
    return hours.size();
  }

  /** All units in the order in which they were opened. */
  List<OpenUnits> units() {
    return units;
  }

  void clear() {
    units.clear();
    hours.clear();
  }
}
