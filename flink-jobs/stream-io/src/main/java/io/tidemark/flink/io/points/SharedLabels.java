package io.tidemark.flink.io.points;

import io.tidemark.flink.model.series.SeriesDescriptor;
import java.util.HashMap;
import java.util.Map;

/**
 * Texts that many series have in common, kept once: names of labels, hosts, topics. A million
 * series would otherwise hold the same words a million times.
 */
final class SharedLabels {

  /** Texts beyond this number are kept by each series for itself. */
  private static final int MAX_TEXTS = 65_536;

  private final Map<String, String> texts = new HashMap<>();
  private Map<String, String> lastResource = Map.of();

  /** The same descriptor in less memory. */
  SeriesDescriptor in(SeriesDescriptor series) {
    // Series of a resource come one after the other.
    if (!series.resource().equals(lastResource)) {
      lastResource = in(series.resource());
    }
    return new SeriesDescriptor(
        in(series.organizationId()),
        in(series.environmentId()),
        in(series.metric()),
        series.kind(),
        in(series.unit()),
        lastResource,
        in(series.attributes()));
  }

  void clear() {
    texts.clear();
    lastResource = Map.of();
  }

  private Map<String, String> in(Map<String, String> labels) {
    Map<String, String> shared = new HashMap<>();
    labels.forEach((name, value) -> shared.put(in(name), in(value)));
    // Its entries lie in one array.
    return Map.copyOf(shared);
  }

  private String in(String text) {
    String known = texts.get(text);
    if (known != null) {
      return known;
    }
    if (texts.size() < MAX_TEXTS) {
      texts.put(text, text);
    }
    return text;
  }
}
