package io.tidemark.flink.model.completeness;

/** What an answer says about one of its buckets. */
public enum BucketState {
  /** Points of the bucket may still be on their way. */
  PROVISIONAL,
  /** Complete, and unchanged since. */
  FINAL,
  /** Complete, and changed by late points since. */
  REVISED
}
