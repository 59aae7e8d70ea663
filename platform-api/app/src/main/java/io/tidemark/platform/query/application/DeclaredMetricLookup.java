package io.tidemark.platform.query.application;

import io.tidemark.platform.metricstore.QueryScope;
import java.util.Map;

/** Tells what people said of metrics, and else what senders did. */
@FunctionalInterface
public interface DeclaredMetricLookup {

  /** Where a metric is in its life; one of several environments that goes on counts for all. */
  enum Stage {
    ACTIVE,
    DEPRECATED,
    /** Not shown any more. */
    RETIRED
  }

  /**
   * What was said.
   *
   * @param description empty for nothing
   */
  record Declared(String description, Stage stage) {
    static final Declared NOTHING = new Declared("", Stage.ACTIVE);

    /** Of two environments. */
    public Declared and(Declared other) {
      return new Declared(
          description.isEmpty() ? other.description : description,
          stage.compareTo(other.stage) < 0 ? stage : other.stage);
    }
  }

  /** By name of metric. */
  Map<String, Declared> of(QueryScope readable);
}
