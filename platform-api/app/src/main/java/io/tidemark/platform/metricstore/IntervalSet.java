package io.tidemark.platform.metricstore;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A set of times as ascending spans in milliseconds, ends exclusive, none touching another. */
public record IntervalSet(List<Span> list) {

  /** One stretch of time. */
  public record Span(long from, long to) {}

  public static final IntervalSet NONE = new IntervalSet(List.of());

  public IntervalSet {
    list = List.copyOf(list);
  }

  /** Everything that lies in one of the intervals. */
  public static IntervalSet of(List<TimeInterval> intervals) {
    return union(
        intervals.stream()
            .map(i -> new Span(i.start().toEpochMilli(), i.end().toEpochMilli()))
            .toList());
  }

  public static IntervalSet union(List<Span> spans) {
    List<Span> sorted = new ArrayList<>(spans);
    sorted.removeIf(span -> span.from() >= span.to());
    sorted.sort((a, b) -> Long.compare(a.from(), b.from()));
    List<Span> joined = new ArrayList<>();
    for (Span span : sorted) {
      int last = joined.size() - 1;
      if (last >= 0 && joined.get(last).to() >= span.from()) {
        joined.set(
            last, new Span(joined.get(last).from(), Math.max(joined.get(last).to(), span.to())));
      } else {
        joined.add(span);
      }
    }
    return new IntervalSet(joined);
  }

  public static long down(long time, long width) {
    return Math.floorDiv(time, width) * width;
  }

  public static long up(long time, long width) {
    return down(time + width - 1, width);
  }

  public boolean isEmpty() {
    return list.isEmpty();
  }

  /** All stretches together, in milliseconds. */
  public long length() {
    return list.stream().mapToLong(span -> span.to() - span.from()).sum();
  }

  public IntervalSet plus(IntervalSet other) {
    List<Span> all = new ArrayList<>(list);
    all.addAll(other.list);
    return union(all);
  }

  public IntervalSet and(IntervalSet other) {
    List<Span> common = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < list.size() && j < other.list.size()) {
      Span one = list.get(i);
      Span two = other.list.get(j);
      long from = Math.max(one.from(), two.from());
      long to = Math.min(one.to(), two.to());
      if (from < to) {
        common.add(new Span(from, to));
      }
      if (one.to() < two.to()) {
        i++;
      } else {
        j++;
      }
    }
    return new IntervalSet(common);
  }

  public IntervalSet minus(IntervalSet other) {
    List<Span> rest = new ArrayList<>();
    for (Span span : list) {
      long from = span.from();
      for (Span taken : other.list) {
        if (taken.to() <= from || taken.from() >= span.to()) {
          continue;
        }
        if (taken.from() > from) {
          rest.add(new Span(from, taken.from()));
        }
        from = Math.max(from, taken.to());
      }
      if (from < span.to()) {
        rest.add(new Span(from, span.to()));
      }
    }
    return union(rest);
  }

  /** What lies before a time. */
  public IntervalSet before(long end) {
    return and(new IntervalSet(List.of(new Span(Long.MIN_VALUE / 2, end))));
  }

  /** What lies at or after a time. */
  public IntervalSet from(long start) {
    return and(new IntervalSet(List.of(new Span(start, Long.MAX_VALUE / 2))));
  }

  /** The whole windows of a width that lie inside. */
  public IntervalSet wholeWindows(long width) {
    return union(
        list.stream().map(s -> new Span(up(s.from(), width), down(s.to(), width))).toList());
  }

  /** The windows of a width that are touched. */
  public IntervalSet touchedWindows(long width) {
    return union(
        list.stream().map(s -> new Span(down(s.from(), width), up(s.to(), width))).toList());
  }

  public List<TimeInterval> intervals() {
    return list.stream()
        .map(s -> new TimeInterval(Instant.ofEpochMilli(s.from()), Instant.ofEpochMilli(s.to())))
        .toList();
  }
}
