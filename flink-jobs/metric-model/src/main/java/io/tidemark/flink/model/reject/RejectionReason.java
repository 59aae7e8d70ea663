package io.tidemark.flink.model.reject;

/**
 * The closed list of the contract (vocabulary/rejection-reasons.yaml), in its order. Names are
 * never reused or renamed.
 */
public enum RejectionReason {
  UNDECODABLE,
  UNKNOWN_TENANT,
  MISSING_ENVELOPE,
  TEMPORALITY_UNSPECIFIED,
  CUMULATIVE_OUT_OF_ORDER,
  CUMULATIVE_UNSUPPORTED,
  TIMESTAMP_OUT_OF_RANGE,
  VALUE_NOT_FINITE,
  METRIC_NAME_MISSING,
  METRIC_TYPE_UNSUPPORTED,
  VALUE_MISSING,
  HISTOGRAM_INVALID,
  RECORD_TOO_LARGE,
  LABEL_INVALID,
  TOO_LATE,
  BUDGET_EXCEEDED
}
