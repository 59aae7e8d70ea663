package io.tidemark.platform.query.domain.promql;

import java.util.List;

/** What an expression comes to at the steps of an evaluation. */
public sealed interface Value {

  /** A number for each step. */
  record Numbers(double[] values) implements Value {}

  /** Series, no two with the same labels at the same step. */
  record Vector(List<SeriesValues> series) implements Value {
    public Vector {
      series = series.stream().filter(each -> !each.isEmpty()).toList();
    }
  }
}
