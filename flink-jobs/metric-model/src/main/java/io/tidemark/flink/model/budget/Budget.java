package io.tidemark.flink.model.budget;

/** What is limited. Names are those of the contract budgets/v1/budget_exceeded.proto. */
public enum Budget {
  ACTIVE_SERIES,
  NEW_SERIES_PER_MINUTE,
  LABELS_PER_SERIES,
  LABEL_KEYS_PER_METRIC,
  LABEL_VALUE_LENGTH,
  LABEL_KEYS_PER_ENVIRONMENT,
  LABEL_KEYS_PER_ORGANIZATION,
  ACTIVE_SERIES_PER_ORGANIZATION
}
