package io.tidemark.flink.alert.match;

import io.tidemark.flink.model.alert.AlertSignal;
import io.tidemark.flink.model.alert.SignalKind;

/**
 * What rows of a metric are for a signal.
 *
 * @param signal key of the signal
 * @param minutesKept minutes whose totals its number is made of
 * @param days before that its number is compared with
 * @param side of {@code SignalHistory}
 */
public record SignalSide(String signal, int minutesKept, int days, int side) {

  public static SignalSide of(String key, AlertSignal signal, int side) {
    int days = signal.kind() == SignalKind.ANOMALY ? signal.days() : 0;
    return new SignalSide(key, Math.toIntExact(signal.minutesKept()), days, side);
  }

  /** A record about groups of a minute. */
  public SignalMinute minute(long start, byte[] groups, int part) {
    return new SignalMinute(signal, minutesKept, days, side, start, groups, part);
  }
}
