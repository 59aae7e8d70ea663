package io.tidemark.flink.io.usage;

import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.ExactlyOnce;
import io.tidemark.flink.io.ExactlyOnceSinks;
import io.tidemark.flink.io.KeyAndValue;
import org.apache.flink.api.connector.sink2.Sink;

/** The topic of increments, exactly once. */
public final class IncrementSink {

  private static final int LARGEST_RECORD = 1_000_000;

  private IncrementSink() {}

  public static Sink<EncodedIncrements> of(
      Brokers brokers, String topic, ExactlyOnce transactions) {
    return ExactlyOnceSinks.sink(
        brokers,
        transactions,
        "increments",
        LARGEST_RECORD,
        new KeyAndValue<>(topic, EncodedIncrements::environment, EncodedIncrements::increments));
  }
}
