package io.tidemark.platform.promql.domain;

import java.util.BitSet;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The values of one series at the steps of an evaluation; at some there may be none. Mutable. */
public final class SeriesValues {

  private final SortedMap<String, String> labels;
  private final double[] values;
  private final BitSet present = new BitSet();

  /**
   * No values yet.
   *
   * @param labels by name, the name of the metric among them if it has one
   */
  public SeriesValues(SortedMap<String, String> labels, int steps) {
    this.labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    this.values = new double[steps];
  }

  public SortedMap<String, String> labels() {
    return labels;
  }

  public int steps() {
    return values.length;
  }

  /** Notes a value, which may be NaN or infinite. */
  public void put(int step, double value) {
    values[step] = value;
    present.set(step);
  }

  public boolean has(int step) {
    return present.get(step);
  }

  /** The value of a step that has one. */
  public double at(int step) {
    return values[step];
  }

  public boolean isEmpty() {
    return present.isEmpty();
  }

  /** Number of steps with a value. */
  public int size() {
    return present.cardinality();
  }

  /**
   * The values of both, which have the same labels.
   *
   * @throws PromQlFault when both have a value at a step
   */
  SeriesValues and(SeriesValues other) {
    if (present.intersects(other.present)) {
      throw PromQlFault.unsupported(
          "several series with the labels "
              + labels
              + "; aggregate them, or keep their names apart");
    }
    SeriesValues both = new SeriesValues(labels, values.length);
    for (int step = 0; step < values.length; step++) {
      if (has(step) || other.has(step)) {
        both.put(step, has(step) ? at(step) : other.at(step));
      }
    }
    return both;
  }

  /** The labels of which a grouping keeps some. */
  SortedMap<String, String> labels(Expression.Grouping grouping) {
    SortedMap<String, String> kept = new TreeMap<>(labels);
    kept.keySet().removeIf(label -> !grouping.keeps(label));
    return kept;
  }

  /** The labels without the name of the metric. */
  SortedMap<String, String> nameless() {
    SortedMap<String, String> rest = new TreeMap<>(labels);
    rest.remove(LabelMatcher.NAME);
    return rest;
  }
}
