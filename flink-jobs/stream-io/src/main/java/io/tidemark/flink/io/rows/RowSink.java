package io.tidemark.flink.io.rows;

import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.ExactlyOnce;
import io.tidemark.flink.io.ExactlyOnceSinks;
import io.tidemark.flink.io.ValueOnly;
import io.tidemark.flink.model.rollup.RollupLevel;
import org.apache.flink.api.connector.sink2.Sink;

/** A rollup topic: bundles of rows, exactly once. */
public final class RowSink {

  /** A series whose rows are above this size is set aside, bytes; bundles end before it. */
  public static final int LARGEST_BUNDLE = 512 * 1024;

  /** Below Kafka's default limit of 1 MiB, with room for the record's frame. */
  private static final int LARGEST_RECORD = 1_000_000;

  private RowSink() {}

  public static Sink<byte[]> of(
      Brokers brokers, String topic, RollupLevel level, ExactlyOnce transactions) {
    return named(brokers, topic, transactionName(level), transactions);
  }

  /** Another writer of a rollup topic, of series without the labels that have many values. */
  public static Sink<byte[]> ofReduced(
      Brokers brokers, String topic, RollupLevel level, ExactlyOnce transactions) {
    return named(brokers, topic, transactionName(level) + "-reduced", transactions);
  }

  /** One-minute rows of split metrics at full detail. */
  public static Sink<byte[]> ofSplit(Brokers brokers, String topic, ExactlyOnce transactions) {
    return named(brokers, topic, "rollup-1m-hc", transactions);
  }

  private static Sink<byte[]> named(
      Brokers brokers, String topic, String name, ExactlyOnce transactions) {
    return ExactlyOnceSinks.sink(
        brokers, transactions, name, LARGEST_RECORD, new ValueOnly<>(topic, bundle -> bundle));
  }

  private static String transactionName(RollupLevel level) {
    return switch (level) {
      case MINUTE -> "rollup-1m";
      case HOUR -> "rollup-1h";
      case DAY -> "rollup-1d";
    };
  }
}
