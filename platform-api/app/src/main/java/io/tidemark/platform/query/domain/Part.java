package io.tidemark.platform.query.domain;

import java.util.Set;

/**
 * What one query of the store reads.
 *
 * @param environments read only these, or all but these; empty with {@code except} reads all
 */
public record Part(Source source, Spans spans, Set<String> environments, boolean except) {

  public Part {
    environments = Set.copyOf(environments);
  }

  /** A part of all environments. */
  public static Part of(Source source, Spans spans) {
    return new Part(source, spans, Set.of(), true);
  }
}
