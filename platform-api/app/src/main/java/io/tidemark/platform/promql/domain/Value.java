package io.tidemark.platform.promql.domain;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** What an expression comes to at the steps of an evaluation. */
public sealed interface Value {

  /** A number for each step. */
  record Numbers(double[] values) implements Value {}

  /**
   * Series, no two with the same labels.
   *
   * @param series those of the same labels become one; without those that have no value
   */
  record Vector(List<SeriesValues> series) implements Value {
    public Vector {
      Map<SortedMap<String, String>, SeriesValues> byLabels = new LinkedHashMap<>();
      for (SeriesValues each : series) {
        if (!each.isEmpty()) {
          byLabels.merge(each.labels(), each, SeriesValues::and);
        }
      }
      series = List.copyOf(byLabels.values());
    }
  }
}
