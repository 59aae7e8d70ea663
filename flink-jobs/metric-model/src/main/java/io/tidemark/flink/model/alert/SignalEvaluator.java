package io.tidemark.flink.model.alert;

import static io.tidemark.flink.model.alert.MinuteTotals.MINUTE_MS;

import io.tidemark.flink.model.distribution.BucketGrid;
import io.tidemark.flink.model.distribution.Distribution;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Computes the number of a signal from the totals of a group. Pure. */
public final class SignalEvaluator {

  private static final long HOUR_MS = 60 * MINUTE_MS;
  private static final long DAY_MS = 24 * HOUR_MS;
  private static final int MINUTES_PER_HOUR = 60;
  private static final double PER_CENT = 100;

  /** Makes the median absolute deviation of normal values their standard deviation. */
  private static final double ROBUST_SIGMA = 1.4826;

  /** Deviation of values that are all equal, so that the distance stays finite: of their size. */
  private static final double MIN_DEVIATION = 0.001;

  /** Days that must have values, so that a median means something. */
  private static final int MIN_DAYS = 2;

  private SignalEvaluator() {}

  /**
   * The number at a minute.
   *
   * @param before the number of the minute before; NaN when there was none
   * @return NaN when there is none
   */
  public static double value(
      AlertSignal signal, SignalHistory history, long minute, double before) {
    return switch (signal.kind()) {
      case THRESHOLD -> aggregated(signal, history, minute);
      case ABSENCE -> absence(history, minute, before);
      case CHANGE -> change(signal, history, minute);
      case RATIO -> ratio(signal, history, minute);
      case QUANTILE -> quantile(signal, window(signal, SignalHistory.NUMERATOR, history, minute));
      case ANOMALY -> anomaly(signal, history, minute);
      case FORECAST -> forecast(signal, history, minute);
    };
  }

  private static double absence(SignalHistory history, long minute, double before) {
    MinuteTotals totals = history.totals(SignalHistory.NUMERATOR, minute);
    boolean isThere = totals != null && !totals.isEmpty();
    return isThere || Double.isNaN(before) ? 0 : before + 1;
  }

  private static double aggregated(AlertSignal signal, SignalHistory history, long minute) {
    return signal
        .aggregation()
        .of(window(signal, SignalHistory.NUMERATOR, history, minute), signal.windowMinutes());
  }

  private static @Nullable MinuteTotals window(
      AlertSignal signal, int side, SignalHistory history, long minute) {
    MinuteTotals all = null;
    for (int i = signal.windowMinutes() - 1; i >= 0; i--) {
      MinuteTotals one = history.totals(side, minute - i * MINUTE_MS);
      if (one != null) {
        all = MinuteTotals.add(all, one);
      }
    }
    return all;
  }

  private static double change(AlertSignal signal, SignalHistory history, long minute) {
    double now = aggregated(signal, history, minute);
    double before = aggregated(signal, history, minute - signal.offsetMinutes() * MINUTE_MS);
    double difference = now - before;
    if (!signal.percent()) {
      return difference;
    }
    if (before == 0) {
      return difference == 0 ? 0 : Double.NaN;
    }
    return PER_CENT * difference / Math.abs(before);
  }

  private static double ratio(AlertSignal signal, SignalHistory history, long minute) {
    double below =
        signal
            .denominatorAggregation()
            .of(window(signal, SignalHistory.DENOMINATOR, history, minute), signal.windowMinutes());
    return below == 0 ? Double.NaN : aggregated(signal, history, minute) / below;
  }

  /** The upper bound of the bucket that the quantile is in. */
  private static double quantile(AlertSignal signal, @Nullable MinuteTotals totals) {
    if (totals == null) {
      return Double.NaN;
    }
    Distribution all = totals.distribution();
    long count = 0;
    for (int i = 0; i < all.size(); i++) {
      count += Math.max(0, all.count(i));
    }
    if (count == 0) {
      return Double.NaN;
    }
    double rank = signal.quantile() * count;
    long below = 0;
    for (int i = 0; i < all.size(); i++) {
      below += Math.max(0, all.count(i));
      if (below >= rank) {
        return all.bucket(i) == 0 ? 0 : BucketGrid.outerBound(all.bucket(i));
      }
    }
    return Double.NaN;
  }

  private static double anomaly(AlertSignal signal, SignalHistory history, long minute) {
    double now = aggregated(signal, history, minute);
    if (Double.isNaN(now)) {
      return Double.NaN;
    }
    double scale =
        signal.aggregation().growsWithTime()
            ? (double) signal.windowMinutes() / MINUTES_PER_HOUR
            : 1;
    double[] before = new double[signal.days()];
    int known = 0;
    long hour = Math.floorDiv(minute, HOUR_MS) * HOUR_MS;
    for (int day = 1; day <= signal.days(); day++) {
      double then =
          signal
              .aggregation()
              .of(history.totals(SignalHistory.HOURS, hour - day * DAY_MS), MINUTES_PER_HOUR);
      if (!Double.isNaN(then)) {
        before[known++] = then * scale;
      }
    }
    if (known < MIN_DAYS) {
      return Double.NaN;
    }
    double middle = median(Arrays.copyOf(before, known));
    double[] distances = new double[known];
    for (int i = 0; i < known; i++) {
      distances[i] = Math.abs(before[i] - middle);
    }
    double deviation = Math.max(ROBUST_SIGMA * median(distances), MIN_DEVIATION * Math.abs(middle));
    return deviation == 0 ? (now == middle ? 0 : Double.NaN) : (now - middle) / deviation;
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    int middle = values.length / 2;
    return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  }

  /** Minutes until the line of least squares through the window's values reaches the limit. */
  private static double forecast(AlertSignal signal, SignalHistory history, long minute) {
    int known = 0;
    double sumX = 0;
    double sumY = 0;
    double sumXx = 0;
    double sumXy = 0;
    for (int i = signal.windowMinutes() - 1; i >= 0; i--) {
      double y =
          signal
              .aggregation()
              .of(history.totals(SignalHistory.NUMERATOR, minute - i * MINUTE_MS), 1);
      if (!Double.isNaN(y)) {
        double x = -i;
        known++;
        sumX += x;
        sumY += y;
        sumXx += x * x;
        sumXy += x * y;
      }
    }
    double spread = known * sumXx - sumX * sumX;
    if (known < 2 || spread == 0) {
      return Double.NaN;
    }
    double slope = (known * sumXy - sumX * sumY) / spread;
    double now = (sumY - slope * sumX) / known;
    double missing = signal.limit() - now;
    if (missing == 0) {
      return 0;
    }
    // Away from the limit, or level: never.
    double minutes = missing / slope;
    return slope == 0 || minutes < 0 ? Double.POSITIVE_INFINITY : minutes;
  }
}
