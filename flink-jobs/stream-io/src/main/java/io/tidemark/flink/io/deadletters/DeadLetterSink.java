package io.tidemark.flink.io.deadletters;

import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.ExactlyOnce;
import io.tidemark.flink.io.ExactlyOnceSinks;
import io.tidemark.flink.io.ValueOnly;
import io.tidemark.flink.model.reject.DeadLetter;
import org.apache.flink.api.connector.sink2.Sink;

/** The dead-letter topic. It must take records of {@link #LARGEST_RECORD} bytes. */
public final class DeadLetterSink {

  /** 1 MiB of original bytes and what is said about them. */
  public static final int LARGEST_RECORD = 2 * 1024 * 1024;

  private DeadLetterSink() {}

  public static Sink<DeadLetter> of(Brokers brokers, String topic, ExactlyOnce transactions) {
    return ExactlyOnceSinks.sink(
        brokers,
        transactions,
        "dead-letters",
        LARGEST_RECORD,
        new ValueOnly<>(topic, DeadLetterRecord::encode));
  }
}
