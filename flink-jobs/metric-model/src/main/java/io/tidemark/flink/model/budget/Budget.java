package io.tidemark.flink.model.budget;

/** What is limited. Names are those of the contract budgets/v1/budget_exceeded.proto. */
public enum Budget {
  ACTIVE_SERIES,
  NEW_SERIES_PER_MINUTE,
  LABELS_PER_SERIES,
  LABEL_KEYS_PER_METRIC,
  LABEL_VALUE_LENGTH;

  public long limitOf(TenantLimits limits) {
    return switch (this) {
      case ACTIVE_SERIES -> limits.activeSeries();
      case NEW_SERIES_PER_MINUTE -> limits.newSeriesPerMinute();
      case LABELS_PER_SERIES -> limits.labelsPerSeries();
      case LABEL_KEYS_PER_METRIC -> limits.labelKeysPerMetric();
      case LABEL_VALUE_LENGTH -> limits.labelValueLength();
    };
  }
}
