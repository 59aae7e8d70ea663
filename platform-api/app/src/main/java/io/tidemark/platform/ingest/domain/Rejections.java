package io.tidemark.platform.ingest.domain;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Counts refused points by reason, and keeps one example each. Not thread-safe. */
public final class Rejections {

  private static final int EXAMPLE_LENGTH = 128;

  private final Map<RejectionReason, Long> points = new EnumMap<>(RejectionReason.class);
  private final Map<RejectionReason, String> examples = new EnumMap<>(RejectionReason.class);

  /**
   * Counts points refused for one reason.
   *
   * @param number how many points; 0 for a metric without any
   * @param metric the name of their metric, may be empty
   */
  public void add(RejectionReason reason, long number, String metric) {
    points.merge(reason, number, Long::sum);
    examples.putIfAbsent(
        reason,
        metric.length() <= EXAMPLE_LENGTH ? metric : metric.substring(0, EXAMPLE_LENGTH) + "…");
  }

  /** Whether nothing was refused, not even a metric without points. */
  public boolean isEmpty() {
    return points.isEmpty();
  }

  /** Number of refused points. */
  public long total() {
    return points.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Refused points by reason. */
  public Map<RejectionReason, Long> byReason() {
    return Map.copyOf(points);
  }

  /** One English message for the sender with every reason, its count and an example. */
  public String message() {
    return points.entrySet().stream()
        .map(
            entry ->
                entry.getKey()
                    + " x"
                    + entry.getValue()
                    + " ("
                    + entry.getKey().sentence()
                    + "; first in metric '"
                    + examples.get(entry.getKey())
                    + "')")
        .collect(Collectors.joining("; ", "Refused data points: ", ". Do not send them again."));
  }
}
