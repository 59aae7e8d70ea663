package io.tidemark.platform.metricstore;

import java.util.Set;

/**
 * Minutes in which a metric of an environment is stored in detail apart from its ordinary rows,
 * which lack the labels.
 *
 * @param from first minute, milliseconds since the epoch
 * @param to first minute after; {@link Long#MAX_VALUE} while no end is known
 * @param labels names of point attributes
 */
public record SplitInterval(
    String environment, String metric, long from, long to, Set<String> labels) {

  public SplitInterval {
    labels = Set.copyOf(labels);
  }

  /** Whether ordinary rows lack one of these labels. */
  public boolean lacks(Set<LabelKey> wanted) {
    return wanted.stream()
        .anyMatch(
            key ->
                key.value().startsWith("metric.")
                    && labels.contains(key.value().substring("metric.".length())));
  }
}
