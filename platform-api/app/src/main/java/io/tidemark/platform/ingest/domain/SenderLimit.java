package io.tidemark.platform.ingest.domain;

/** What a sender can be over. */
public sealed interface SenderLimit permits Quota, SeriesBudget {

  /** The name that is shown to senders. */
  String wireName();
}
