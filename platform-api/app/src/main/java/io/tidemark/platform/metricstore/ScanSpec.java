package io.tidemark.platform.metricstore;

import java.util.Set;

/**
 * What one query of a store reads.
 *
 * @param environments read only these, or all but these; empty with {@code except} reads all
 */
public record ScanSpec(
    Source source, Store store, IntervalSet spans, Set<String> environments, boolean except) {

  public ScanSpec {
    environments = Set.copyOf(environments);
  }

  /** A part of all environments, in Druid. */
  public static ScanSpec of(Source source, IntervalSet spans) {
    return new ScanSpec(source, Store.DRUID, spans, Set.of(), true);
  }
}
