package io.tidemark.platform.promql.domain;

import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.query.domain.ExportText;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The labels of one metric under the names that Prometheus takes: without {@code metric.} and
 * {@code resource.}, other characters as underscores. {@code resource.service.name} is {@code job}
 * and {@code resource.service.instance.id} is {@code instance}, as they came in remote write.
 */
public final class MetricLabels {

  /** The label with the environment that a series was sent to. */
  public static final String ENVIRONMENT = "environment_id";

  private static final Map<String, String> FIXED =
      Map.of("resource.service.name", "job", "resource.service.instance.id", "instance");

  private final Map<String, LabelKey> keys;

  private MetricLabels(Map<String, LabelKey> keys) {
    this.keys = Collections.unmodifiableMap(keys);
  }

  /** Names for label keys as queries name them; what is no label key is left out. */
  public static MetricLabels of(Collection<String> labels) {
    Map<String, LabelKey> names = new LinkedHashMap<>();
    names.put(ENVIRONMENT, LabelKey.ENVIRONMENT);
    TreeSet<String> sorted = new TreeSet<>(labels);
    sorted.removeIf(label -> !LabelKey.isWellFormed(label));
    new TreeMap<>(FIXED)
        .forEach(
            (label, name) -> {
              if (sorted.remove(label)) {
                names.put(name, new LabelKey(label));
              }
            });
    for (String label : sorted) {
      String name = ExportText.labelName(label.substring(label.indexOf('.') + 1));
      if (names.containsKey(name)) {
        // Two keys may become one name: the second keeps where it came from.
        name = ExportText.labelName(label);
      }
      while (names.containsKey(name)) {
        name += "_";
      }
      names.put(name, new LabelKey(label));
    }
    return new MetricLabels(names);
  }

  /** Keys by name. */
  public Map<String, LabelKey> keys() {
    return keys;
  }

  /**
   * The key of a label, also one that was not seen yet; empty when the text can name no label.
   *
   * @param label by its name, or as it was sent
   */
  public Optional<LabelKey> key(String label) {
    LabelKey known = keys.get(label);
    if (known == null) {
      known = keys.get(ExportText.labelName(label));
    }
    if (known != null) {
      return Optional.of(known);
    }
    String key = "metric." + label;
    return LabelKey.isWellFormed(key) ? Optional.of(new LabelKey(key)) : Optional.empty();
  }
}
