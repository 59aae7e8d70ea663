package io.tidemark.flink.alert.signal;

import static io.tidemark.flink.model.alert.MinuteTotals.MINUTE_MS;

import io.tidemark.flink.alert.packed.PackedInput;
import io.tidemark.flink.alert.packed.PackedOutput;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.SignalHistory;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Totals of all sides of a signal, as far back as decisions can need them. */
final class SignalTotals {

  private static final long HOUR_MS = Duration.ofHours(1).toMillis();
  private static final long DAY_MS = Duration.ofDays(1).toMillis();

  /** Minutes before the decided ones that stay in memory; a longer window reads the others. */
  private static final long MAX_HELD_MS = Duration.ofMinutes(60).toMillis();

  /** Minutes that may be ahead of the decided ones and have slots. */
  private static final int AHEAD = 16;

  private static final int HOURS_AHEAD = 4;
  private static final int HOURS_PER_DAY = 24;

  private final int minutesKept;
  private final int days;
  private final TotalsHistory numerators;
  private final TotalsHistory denominators;
  private final TotalsHistory hours;

  /** The hour whose decisions hours in memory are for. */
  private long hoursOf = Long.MIN_VALUE;

  SignalTotals(SignalStore store, int minutesKept, int days) {
    this.minutesKept = minutesKept;
    this.days = days;
    int slots = (int) (keptMs() / MINUTE_MS) + AHEAD;
    numerators = new TotalsHistory(store, SignalHistory.NUMERATOR, MINUTE_MS, slots);
    denominators = new TotalsHistory(store, SignalHistory.DENOMINATOR, MINUTE_MS, slots);
    hours =
        new TotalsHistory(
            store, SignalHistory.HOURS, HOUR_MS, HOURS_PER_DAY * (days + 1) + HOURS_AHEAD);
  }

  int minutesKept() {
    return minutesKept;
  }

  int days() {
    return days;
  }

  /** Minutes before the first undecided one whose totals a decision can need. */
  long keptMs() {
    return TrackedGroup.KEPT_MS + minutesKept * MINUTE_MS;
  }

  /** Rows so long before the first undecided minute are in no totals any more. */
  long forgottenMs() {
    return keptMs() + (days > 0 ? (days + 1) * DAY_MS + HOUR_MS : 0);
  }

  private TotalsHistory of(int side) {
    return switch (side) {
      case SignalHistory.NUMERATOR -> numerators;
      case SignalHistory.DENOMINATOR -> denominators;
      default -> hours;
    };
  }

  @Nullable MinuteTotals get(int side, long start, int group) {
    return of(side).get(start, group);
  }

  /**
   * Adds to a minute, and to its hour when hours are asked for.
   *
   * @param isKept whether a decision can need the minute itself
   */
  void add(int side, long start, int group, MinuteTotals added, boolean isKept) {
    if (isKept) {
      of(side).add(start, group, added);
    }
    if (days > 0 && side == SignalHistory.NUMERATOR) {
      hours.add(Math.floorDiv(start, HOUR_MS) * HOUR_MS, group, added);
    }
  }

  /** The first minute from one on with totals of a group; the greatest number for none. */
  long firstFrom(long from, int group, long oldest) {
    return Math.min(
        numerators.firstFrom(from, group, oldest), denominators.firstFrom(from, group, oldest));
  }

  void needFrom(long decidedUntil, int pages) {
    numerators.needFrom(decidedUntil - keptMs(), pages);
    denominators.needFrom(decidedUntil - keptMs(), pages);
    if (days > 0) {
      hours.needFrom(Math.floorDiv(decidedUntil - (days + 1) * DAY_MS, HOUR_MS) * HOUR_MS, pages);
    }
  }

  void write(PackedOutput out) {
    numerators.write(out);
    denominators.write(out);
    hours.write(out);
  }

  /** Drops minutes from memory that were written and are not in the next window. */
  void dropBefore(long decidedUntil) {
    boolean isAll = decidedUntil == Long.MAX_VALUE;
    long wanted =
        isAll ? decidedUntil : decidedUntil - Math.min(minutesKept * MINUTE_MS, MAX_HELD_MS);
    numerators.dropBefore(wanted);
    denominators.dropBefore(wanted);
    // Those of other days are asked for again within the hour.
    long hour = isAll ? Long.MAX_VALUE : Math.floorDiv(decidedUntil, HOUR_MS) * HOUR_MS;
    if (hour != hoursOf) {
      hoursOf = hour;
      hours.dropOthers(hour);
    }
  }

  long bytes() {
    return numerators.bytes() + denominators.bytes() + hours.bytes();
  }

  void packHeader(PackedOutput out) {
    numerators.packHeader(out);
    denominators.packHeader(out);
    hours.packHeader(out);
  }

  void unpackHeader(PackedInput in) {
    numerators.unpackHeader(in);
    denominators.unpackHeader(in);
    hours.unpackHeader(in);
  }
}
