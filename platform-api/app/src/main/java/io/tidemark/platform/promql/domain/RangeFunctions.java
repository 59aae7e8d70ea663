package io.tidemark.platform.promql.domain;

import io.tidemark.platform.promql.domain.Value.Vector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Functions of the values of a range, as Prometheus has them. They read nothing. */
public final class RangeFunctions {

  /** Beyond so many usual distances a range is not taken to go on to its end. */
  private static final double MAX_DISTANCE = 1.1;

  private RangeFunctions() {}

  /**
   * Values of one series.
   *
   * @param times milliseconds since the epoch, ascending
   */
  public record Samples(long[] times, double[] values) {

    private int size() {
      return times.length;
    }

    private double seconds(int from, int to) {
      return (times[to] - times[from]) / 1_000.0;
    }
  }

  /**
   * A function of readings: exact at both ends of the window, so that nothing is estimated.
   *
   * @param length of the window, in milliseconds
   * @param parameter of a prediction, in seconds
   * @param time that a prediction counts from, in milliseconds
   */
  public static OptionalDouble ofReadings(
      @Nullable WindowValue function, Samples samples, long length, double parameter, long time) {
    int last = samples.size() - 1;
    if (last < 1) {
      return OptionalDouble.empty();
    }
    double[] values = samples.values();
    return OptionalDouble.of(
        switch (function) {
          // What a counter's minute holds is the difference already.
          case INSTANT_RATE -> values[last] / samples.seconds(last - 1, last);
          case RISE -> rise(values, 0);
          case RISE_RATE -> rise(values, 0) / (length / 1_000.0);
          case INSTANT_RISE_RATE -> rise(values, last - 1) / samples.seconds(last - 1, last);
          case INSTANT_DELTA -> values[last] - values[last - 1];
          case DELTA -> values[last] - values[0];
          case SLOPE -> line(samples, samples.times()[0])[1];
          case PREDICTION -> predicted(samples, parameter, time);
          default -> throw new IllegalArgumentException(function + " is not of readings");
        });
  }

  /**
   * A function at each step of the values of a subquery.
   *
   * @param inner values at the times of the subquery
   * @param innerTimes these times
   * @param parameters a number for each step; empty for functions without one
   */
  public static Vector ofSubquery(
      WindowValue function,
      Expression.Subquery subquery,
      StepTimes times,
      Vector inner,
      StepTimes innerTimes,
      double[] parameters) {
    List<SeriesValues> results = new ArrayList<>();
    for (SeriesValues series : inner.series()) {
      SeriesValues result =
          new SeriesValues(
              function.keepsName() ? series.labels() : series.nameless(), times.size());
      for (int step = 0; step < times.size(); step++) {
        long end = times.anchored(step, subquery.at()) - subquery.offset();
        Samples samples = samples(series, innerTimes.times(), end - subquery.range(), end);
        if (samples.size() > 0) {
          int at = step;
          double parameter = parameters.length == 0 ? Double.NaN : parameters[step];
          OptionalDouble value =
              function == WindowValue.DELTA
                  ? extrapolated(samples, end - subquery.range(), end)
                  : of(function, samples, parameter, times.times()[step]);
          value.ifPresent(found -> result.put(at, found));
        }
      }
      results.add(result);
    }
    return new Vector(results);
  }

  /** The values after one time, up to another. */
  private static Samples samples(SeriesValues series, long[] times, long after, long until) {
    int first = Arrays.binarySearch(times, after);
    first = first < 0 ? -first - 1 : first + 1;
    int end = Arrays.binarySearch(times, until);
    end = end < 0 ? -end - 1 : end + 1;
    long[] found = new long[Math.max(0, end - first)];
    double[] values = new double[found.length];
    int size = 0;
    for (int i = first; i < end; i++) {
      if (series.has(i)) {
        found[size] = times[i];
        values[size++] = series.at(i);
      }
    }
    return new Samples(Arrays.copyOf(found, size), Arrays.copyOf(values, size));
  }

  private static OptionalDouble of(
      WindowValue function, Samples samples, double parameter, long time) {
    double[] values = samples.values();
    int last = values.length - 1;
    return switch (function) {
      case SUM -> OptionalDouble.of(sum(values));
      case MEAN -> OptionalDouble.of(sum(values) / values.length);
      case MIN -> OptionalDouble.of(furthest(values, false));
      case MAX -> OptionalDouble.of(furthest(values, true));
      case COUNT -> OptionalDouble.of(values.length);
      case LAST -> OptionalDouble.of(values[last]);
      case PRESENT -> OptionalDouble.of(1);
      case CHANGES -> OptionalDouble.of(changes(values));
      case VARIANCE -> OptionalDouble.of(GroupMath.variance(values));
      case DEVIATION -> OptionalDouble.of(Math.sqrt(GroupMath.variance(values)));
      case QUANTILE -> OptionalDouble.of(GroupMath.quantile(parameter, values.clone()));
      case INSTANT_DELTA, SLOPE, PREDICTION -> ofReadings(function, samples, 0, parameter, time);
      default -> throw new IllegalArgumentException(function + " is not of subqueries");
    };
  }

  /** With what small values lose beside great ones added at the end. */
  private static double sum(double[] values) {
    double sum = 0;
    double lost = 0;
    for (double value : values) {
      double next = sum + value;
      if (Double.isFinite(next)) {
        lost += Math.abs(sum) >= Math.abs(value) ? (sum - next) + value : (value - next) + sum;
      }
      sum = next;
    }
    return Double.isFinite(sum) ? sum + lost : sum;
  }

  private static double furthest(double[] values, boolean isLargest) {
    double furthest = Double.NaN;
    for (double value : values) {
      boolean isFurther = isLargest ? value > furthest : value < furthest;
      // NaN gives way to every number.
      furthest = Double.isNaN(furthest) || isFurther ? value : furthest;
    }
    return furthest;
  }

  private static double changes(double[] values) {
    int changes = 0;
    for (int i = 1; i < values.length; i++) {
      boolean isSame =
          values[i] == values[i - 1] || Double.isNaN(values[i]) && Double.isNaN(values[i - 1]);
      changes += isSame ? 0 : 1;
    }
    return changes;
  }

  /**
   * The difference of the first and the last, continued to both ends of the range where the values
   * come close to them.
   */
  private static OptionalDouble extrapolated(Samples samples, long start, long end) {
    int last = samples.size() - 1;
    if (last < 1) {
      return OptionalDouble.empty();
    }
    double sampled = samples.seconds(0, last);
    double mean = sampled / last;
    double before = (samples.times()[0] - start) / 1_000.0;
    double after = (end - samples.times()[last]) / 1_000.0;
    double covered =
        sampled
            + (before >= mean * MAX_DISTANCE ? mean / 2 : before)
            + (after >= mean * MAX_DISTANCE ? mean / 2 : after);
    double difference = samples.values()[last] - samples.values()[0];
    return OptionalDouble.of(difference * (covered / sampled));
  }

  private static double predicted(Samples samples, double seconds, long time) {
    double[] line = line(samples, time);
    return line[0] + line[1] * seconds;
  }

  /** A counter that falls has begun at zero again. */
  private static double rise(double[] values, int from) {
    double rise = 0;
    for (int i = from + 1; i < values.length; i++) {
      rise += values[i] < values[i - 1] ? values[i] : values[i] - values[i - 1];
    }
    return rise;
  }

  /** Value at a time, and slope per second, of the line with the least squares. */
  private static double[] line(Samples samples, long time) {
    double[] values = samples.values();
    if (Arrays.stream(values).allMatch(value -> value == values[0])) {
      return new double[] {values[0], 0};
    }
    double[] seconds =
        Arrays.stream(samples.times()).mapToDouble(each -> (each - time) / 1_000.0).toArray();
    double meanTime = sum(seconds) / seconds.length;
    double mean = sum(values) / values.length;
    double both = 0;
    double squares = 0;
    for (int i = 0; i < values.length; i++) {
      both += (seconds[i] - meanTime) * (values[i] - mean);
      squares += (seconds[i] - meanTime) * (seconds[i] - meanTime);
    }
    double slope = both / squares;
    return new double[] {mean - slope * meanTime, slope};
  }
}
