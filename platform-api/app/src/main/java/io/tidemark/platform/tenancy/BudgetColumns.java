package io.tidemark.platform.tenancy;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Budgets as the tables organization and environment have them. */
final class BudgetColumns {

  private BudgetColumns() {}

  /** How the column when_series_exceeded has it. */
  static @Nullable String seriesOverrunPolicy(Budgets budgets) {
    return budgets.seriesOverrunPolicy() == null ? null : budgets.seriesOverrunPolicy().wireName();
  }

  static Budgets of(ResultSet row) throws SQLException {
    String seriesOverrunPolicy = row.getString("when_series_exceeded");
    return new Budgets(
        row.getObject("active_series", Long.class),
        row.getObject("new_series_per_minute", Long.class),
        row.getObject("labels_per_series", Integer.class),
        row.getObject("label_keys_per_metric", Integer.class),
        row.getObject("label_value_length", Integer.class),
        seriesOverrunPolicy == null ? null : SeriesOverrunPolicy.named(seriesOverrunPolicy));
  }
}
