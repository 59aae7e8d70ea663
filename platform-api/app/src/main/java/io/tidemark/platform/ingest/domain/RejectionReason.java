package io.tidemark.platform.ingest.domain;

/**
 * Why the gateway refuses a point. The part of {@code contracts/vocabulary/rejection-reasons.yaml}
 * that is marked {@code gateway}; a test compares them.
 */
public enum RejectionReason {
  TEMPORALITY_UNSPECIFIED("a sum or histogram says neither delta nor cumulative"),
  TIMESTAMP_OUT_OF_RANGE("the time is 0, before the year 2000 or too far in the future"),
  VALUE_NOT_FINITE("the value is NaN or infinite"),
  METRIC_NAME_MISSING("the metric has no name"),
  METRIC_TYPE_UNSUPPORTED("the metric has no data of a known kind"),
  VALUE_MISSING("the point carries no value"),
  HISTOGRAM_INVALID("counts, bounds and total of the histogram do not fit"),
  LABEL_INVALID("a label has an empty key, is there twice, is no UTF-8, or passes a limit");

  private final String sentence;

  RejectionReason(String sentence) {
    this.sentence = sentence;
  }

  /** A clause for the sender. */
  public String sentence() {
    return sentence;
  }
}
