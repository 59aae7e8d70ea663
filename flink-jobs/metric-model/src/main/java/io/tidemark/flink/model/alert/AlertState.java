package io.tidemark.flink.model.alert;

/** State of one group of a rule. The order is part of stored state. */
public enum AlertState {
  NORMAL,
  /** The comparison holds, not long enough yet. */
  PENDING,
  FIRING,
  /** There is no value. An open incident stays open. */
  NO_DATA,
  /** The rows to decide are not complete. An open incident stays open. */
  BLIND
}
