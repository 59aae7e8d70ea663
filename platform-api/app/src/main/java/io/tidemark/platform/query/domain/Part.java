package io.tidemark.platform.query.domain;

import java.util.Set;

/**
 * What one query of a store reads.
 *
 * @param environments read only these, or all but these; empty with {@code except} reads all
 */
public record Part(
    Source source, Store store, Spans spans, Set<String> environments, boolean except) {

  public Part {
    environments = Set.copyOf(environments);
  }

  /** A part of all environments, in Druid. */
  public static Part of(Source source, Spans spans) {
    return new Part(source, Store.DRUID, spans, Set.of(), true);
  }
}
