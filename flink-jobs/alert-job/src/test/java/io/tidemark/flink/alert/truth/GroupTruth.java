package io.tidemark.flink.alert.truth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** What must become of one group of one rule, from its rows alone. */
final class GroupTruth {

  private static final int MINUTES_PER_HOUR = 60;
  private static final int MINUTES_PER_DAY = 1_440;
  private static final int ZERO_BUCKET = 1_024;
  private static final double PER_OCTAVE = 8;

  /** An incident by numbers of minutes; {@link #OPEN} while it lasts. */
  record Incident(int start, int end) {}

  static final int OPEN = Integer.MAX_VALUE;

  /** What rows of one minute, or of several, are together. */
  private static final class Sums {
    private long sum;
    private long count;
    private long min = Long.MAX_VALUE;
    private long max = Long.MIN_VALUE;
    private long last;
    private long lastAt = Long.MIN_VALUE;
    private final TreeMap<Integer, Long> buckets = new TreeMap<>();

    void add(GeneratedRow row) {
      sum += row.value();
      count += row.count();
      if (row.count() > 0) {
        min = Math.min(min, row.value());
        max = Math.max(max, row.value());
        if (row.lastAt() > lastAt) {
          last = row.value();
          lastAt = row.lastAt();
        }
      }
      if (row.bucket() != 0) {
        buckets.merge(row.bucket(), (long) row.count(), Long::sum);
      }
    }

    boolean isNothing() {
      return count == 0 && sum == 0 && buckets.values().stream().allMatch(each -> each == 0);
    }
  }

  private final GeneratedRule rule;
  private final TreeMap<Integer, List<GeneratedRow>> above = new TreeMap<>();
  private final TreeMap<Integer, List<GeneratedRow>> below = new TreeMap<>();

  /** Values of minutes before {@link #valued}; a row has those from its minute on computed anew. */
  private double[] values = new double[256];

  private int valued;

  GroupTruth(GeneratedRule rule) {
    this.rule = rule;
  }

  void add(GeneratedRow row) {
    valued = Math.max(0, Math.min(valued, row.minute()));
    if (row.metric().equals(rule.metric())) {
      above.computeIfAbsent(row.minute(), ignored -> new ArrayList<>()).add(row);
    }
    if (row.metric().equals(rule.below())) {
      below.computeIfAbsent(row.minute(), ignored -> new ArrayList<>()).add(row);
    }
  }

  /** Incidents when minutes before {@code until} are decided. */
  List<Incident> incidents(int until) {
    values = until > values.length ? Arrays.copyOf(values, 2 * until) : values;
    for (; valued < until; valued++) {
      boolean isAbsence = rule.kind().equals("absence");
      values[valued] = isAbsence ? (hasRows(valued) ? 0 : 1) : value(valued);
    }
    List<Incident> incidents = new ArrayList<>();
    int holding = 0;
    int recovering = 0;
    int missing = 0;
    int start = -1;
    int absent = -1;
    for (int minute = 0; minute < until; minute++) {
      absent = absent < 0 || values[minute] == 0 ? 0 : absent + 1;
      double value = rule.kind().equals("absence") ? absent : values[minute];
      if (Double.isNaN(value)) {
        missing++;
        holding = missing >= rule.noData() ? 0 : holding;
        continue;
      }
      missing = 0;
      double limit = start < 0 ? rule.thresholdAt(minute) : rule.recoveryAt(minute);
      boolean holds = rule.isUpper() ? value > limit : value < limit;
      if (start < 0) {
        holding = holds ? holding + 1 : 0;
        if (holds && holding >= Math.max(1, rule.holds())) {
          start = minute;
          holding = 0;
          recovering = 0;
        }
      } else {
        recovering = holds ? 0 : recovering + 1;
        if (recovering >= Math.max(1, rule.recovers())) {
          incidents.add(new Incident(start, minute));
          start = -1;
        }
      }
    }
    if (start >= 0) {
      incidents.add(new Incident(start, OPEN));
    }
    return incidents;
  }

  private boolean hasRows(int minute) {
    return !sums(above, minute, minute).isNothing();
  }

  private static Sums sums(TreeMap<Integer, List<GeneratedRow>> rows, int first, int last) {
    Sums sums = new Sums();
    rows.subMap(first, true, last, true).values().forEach(each -> each.forEach(sums::add));
    return sums;
  }

  private double value(int minute) {
    return switch (rule.kind()) {
      case "threshold" -> aggregated(minute);
      case "change" -> change(minute);
      case "ratio" -> {
        double under = of(sums(below, minute - rule.window() + 1, minute), "sum", rule.window());
        yield under == 0 ? Double.NaN : aggregated(minute) / under;
      }
      case "quantile" -> quantile(minute);
      case "anomaly" -> anomaly(minute);
      case "forecast" -> forecast(minute);
      default -> throw new IllegalArgumentException(rule.kind());
    };
  }

  private double aggregated(int minute) {
    return of(sums(above, minute - rule.window() + 1, minute), rule.aggregation(), rule.window());
  }

  private static double of(Sums sums, String aggregation, int minutes) {
    if (sums.isNothing()) {
      return Double.NaN;
    }
    boolean hasValues = sums.lastAt != Long.MIN_VALUE;
    return switch (aggregation) {
      case "sum" -> sums.sum;
      case "count" -> sums.count;
      case "min" -> hasValues ? sums.min : Double.NaN;
      case "max" -> hasValues ? sums.max : Double.NaN;
      case "last" -> hasValues ? sums.last : Double.NaN;
      case "avg" -> sums.count == 0 ? Double.NaN : (double) sums.sum / sums.count;
      case "rate" -> sums.sum / (60.0 * minutes);
      default -> throw new IllegalArgumentException(aggregation);
    };
  }

  private double change(int minute) {
    double now = aggregated(minute);
    double then = aggregated(minute - rule.offset());
    if (!rule.percent()) {
      return now - then;
    }
    return then == 0 ? (now == 0 ? 0 : Double.NaN) : 100 * (now - then) / Math.abs(then);
  }

  private double quantile(int minute) {
    Sums sums = sums(above, minute - rule.window() + 1, minute);
    List<Integer> observations = new ArrayList<>();
    sums.buckets.forEach(
        (bucket, count) -> {
          for (long i = 0; i < count; i++) {
            observations.add(bucket);
          }
        });
    if (observations.isEmpty()) {
      return Double.NaN;
    }
    int rank = (int) Math.ceil(rule.quantile() * observations.size());
    int bucket = observations.get(Math.max(0, rank - 1));
    return Math.pow(2, (bucket - ZERO_BUCKET) / PER_OCTAVE);
  }

  private double anomaly(int minute) {
    double now = aggregated(minute);
    int hour = Math.floorDiv(minute, MINUTES_PER_HOUR) * MINUTES_PER_HOUR;
    List<Double> before = new ArrayList<>();
    for (int day = 1; day <= rule.days(); day++) {
      int then = hour - day * MINUTES_PER_DAY;
      double value =
          of(sums(above, then, then + MINUTES_PER_HOUR - 1), rule.aggregation(), MINUTES_PER_HOUR);
      if (!Double.isNaN(value)) {
        before.add(
            rule.aggregation().equals("sum") ? value * rule.window() / MINUTES_PER_HOUR : value);
      }
    }
    if (before.size() < 2 || Double.isNaN(now)) {
      return Double.NaN;
    }
    double middle = median(before);
    double spread =
        Math.max(
            1.4826 * median(before.stream().map(each -> Math.abs(each - middle)).toList()),
            0.001 * Math.abs(middle));
    return spread == 0 ? (now == middle ? 0 : Double.NaN) : (now - middle) / spread;
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return Arrays.stream(sorted, (sorted.length - 1) / 2, sorted.length / 2 + 1)
        .average()
        .orElseThrow();
  }

  private double forecast(int minute) {
    double[] xs = new double[rule.window()];
    double[] ys = new double[rule.window()];
    int known = 0;
    for (int i = 0; i < rule.window(); i++) {
      double y = of(sums(above, minute - i, minute - i), rule.aggregation(), 1);
      if (!Double.isNaN(y)) {
        xs[known] = -i;
        ys[known++] = y;
      }
    }
    if (known < 2) {
      return Double.NaN;
    }
    double meanX = Arrays.stream(xs, 0, known).average().orElseThrow();
    double meanY = Arrays.stream(ys, 0, known).average().orElseThrow();
    double over = 0;
    double under = 0;
    for (int i = 0; i < known; i++) {
      over += (xs[i] - meanX) * (ys[i] - meanY);
      under += (xs[i] - meanX) * (xs[i] - meanX);
    }
    double slope = over / under;
    double missing = rule.limit() - (meanY - slope * meanX);
    // A slope that is nothing but rounding leads nowhere.
    boolean isLevel = Math.abs(slope) < 1e-9;
    return isLevel || missing / slope < 0 ? Double.POSITIVE_INFINITY : missing / slope;
  }
}
