package io.tidemark.platform.query.domain;

import java.util.List;

/** Which series a query is about. */
public sealed interface LabelFilter {

  /** The label has exactly this text. */
  record Equal(LabelKey label, String value) implements LabelFilter {}

  /** Every one holds; at least one. */
  record Every(List<LabelFilter> filters) implements LabelFilter {
    public Every {
      filters = List.copyOf(filters);
    }
  }
}
