package io.tidemark.platform.promql.domain;

import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.promql.domain.Expression.At;
import io.tidemark.platform.promql.domain.Expression.Subquery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The times at which an expression is evaluated. Stored time is whole minutes: a window that ends
 * at a time holds the minutes that are over by then.
 *
 * @param times milliseconds since the epoch, ascending
 * @param start of the whole evaluation, also within a subquery
 * @param end of the whole evaluation, also within a subquery
 */
public record StepTimes(long[] times, long start, long end) {

  /** As many as Prometheus allows. */
  private static final int MAX_NUMBER = 11_000;

  private static final long MINUTE = 60_000;

  /** From the epoch to the year 2262. */
  private static final long LATEST = 9_214_646_400_000L;

  public StepTimes {
    for (long time : times) {
      if (time < 0 || time > LATEST) {
        throw PromQlFault.wrong("times must lie between the years 1970 and 2262");
      }
    }
  }

  /** One time. */
  public static StepTimes at(long time) {
    return new StepTimes(new long[] {time}, time, time);
  }

  /** Times from start to end, which are milliseconds. */
  public static StepTimes range(long start, long end, long step) {
    if (end < start) {
      throw PromQlFault.wrong("end timestamp must not be before start time");
    }
    if (step <= 0) {
      throw PromQlFault.wrong("zero or negative query resolution step widths are not accepted");
    }
    if ((end - start) / step >= MAX_NUMBER) {
      throw PromQlFault.wrong(
          "exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query"
              + " resolution (?step=XX)");
    }
    long[] times = new long[(int) ((end - start) / step) + 1];
    for (int i = 0; i < times.length; i++) {
      times[i] = start + i * step;
    }
    return new StepTimes(times, start, end);
  }

  public int size() {
    return times.length;
  }

  /** The time that a step looks at: its own, or the one that the expression names. */
  public long anchored(int step, Optional<At> at) {
    if (at.isEmpty()) {
      return times[step];
    }
    return at.get().milliseconds()
        + switch (at.get().anchor()) {
          case EPOCH -> 0;
          case START -> start;
          case END -> end;
        };
  }

  /** The times at which the expression of a subquery is evaluated. */
  public StepTimes within(Subquery subquery) {
    long width = subquery.resolution();
    long[] inner = new long[MAX_NUMBER];
    int number = 0;
    long last = -1;
    for (int step = 0; step < times.length; step++) {
      long to = anchored(step, subquery.at()) - subquery.offset();
      long after = Math.max(to - subquery.range(), last);
      for (long time = (Math.floorDiv(after, width) + 1) * width; time <= to; time += width) {
        if (number == MAX_NUMBER) {
          throw PromQlFault.unsupported(
              "a subquery with more than 11,000 times; widen its resolution or the step");
        }
        inner[number++] = time;
        last = time;
      }
    }
    return new StepTimes(Arrays.copyOf(inner, number), start, end);
  }

  /** Where the window of each step ends, exclusive: a whole minute. */
  public long[] ends(Window window) {
    return IntStream.range(0, times.length)
        .mapToLong(step -> anchored(step, window.selector().at()) - window.selector().offset())
        .map(time -> Math.floorDiv(time, MINUTE) * MINUTE)
        .toArray();
  }

  /** The widest buckets of which all windows are made; ALL for a single window. */
  public Granularity granularity(Window window) {
    long[] ends = Arrays.stream(ends(window)).distinct().toArray();
    if (ends.length == 1) {
      return Granularity.ALL;
    }
    Granularity widest = Granularity.PT1M;
    for (Granularity candidate : Granularity.values()) {
      if (candidate.width().isPresent()) {
        long width = candidate.width().get().toMillis();
        if (window.length() % width == 0 && Arrays.stream(ends).allMatch(end -> end % width == 0)) {
          widest = candidate;
        }
      }
    }
    return widest;
  }

  /** Whether each window is one bucket of that granularity. */
  public boolean isBuckets(Window window) {
    Granularity granularity = granularity(window);
    return granularity.width().isEmpty() || granularity.width().get().toMillis() == window.length();
  }

  /** All windows. */
  public List<TimeInterval> intervals(Window window) {
    List<TimeInterval> intervals = new ArrayList<>();
    long from = Long.MIN_VALUE;
    long to = Long.MIN_VALUE;
    for (long end : ends(window)) {
      long start = Math.max(0, end - window.length());
      if (start >= end) {
        continue;
      }
      if (start > to) {
        add(intervals, from, to);
        from = start;
      }
      to = end;
    }
    add(intervals, from, to);
    return intervals;
  }

  private static void add(List<TimeInterval> intervals, long from, long to) {
    if (from < to) {
      intervals.add(new TimeInterval(Instant.ofEpochMilli(from), Instant.ofEpochMilli(to)));
    }
  }
}
