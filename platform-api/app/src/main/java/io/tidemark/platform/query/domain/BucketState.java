package io.tidemark.platform.query.domain;

/** What an answer says about a bucket, or about all of its buckets. */
public enum BucketState {
  /** Complete, and unchanged since. */
  FINAL,
  /** Complete, and changed by late points since. */
  REVISED,
  /** Points may still be on their way. */
  PROVISIONAL
}
