package io.tidemark.flink.io.progress;

import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.ExactlyOnce;
import io.tidemark.flink.io.ExactlyOnceSinks;
import io.tidemark.flink.io.ValueOnly;
import org.apache.flink.api.connector.sink2.Sink;

/** The watermarks topic. */
public final class ProgressSink {

  private static final int LARGEST_RECORD = 1_000_000;

  private ProgressSink() {}

  public static Sink<byte[]> of(Brokers brokers, String topic, ExactlyOnce transactions) {
    return ExactlyOnceSinks.sink(
        brokers,
        transactions,
        "progress",
        LARGEST_RECORD,
        new ValueOnly<>(topic, record -> record));
  }
}
