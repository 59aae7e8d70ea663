package io.tidemark.flink.io.rows;

import io.tidemark.flink.io.ExactlyOnce;
import io.tidemark.flink.io.ExactlyOnceSinks;
import io.tidemark.flink.io.ValueOnly;
import org.apache.flink.connector.kafka.sink.KafkaSink;

/** A rollup topic: bundles of rows, exactly once. */
public final class RowSink {

  /** A row above this size is set aside, bytes; bundles end before it. */
  public static final int LARGEST_BUNDLE = 512 * 1024;

  /** Below Kafka's default limit of 1 MiB, with room for the record's frame. */
  private static final int LARGEST_RECORD = 1_000_000;

  private RowSink() {}

  public static KafkaSink<byte[]> of(
      String bootstrapServers, String topic, ExactlyOnce transactions) {
    return ExactlyOnceSinks.sink(
        bootstrapServers,
        transactions,
        "rollup-1m",
        LARGEST_RECORD,
        new ValueOnly<>(topic, bundle -> bundle));
  }
}
