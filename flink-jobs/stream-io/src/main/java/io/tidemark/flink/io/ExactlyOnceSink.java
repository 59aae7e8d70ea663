package io.tidemark.flink.io;

import java.time.Duration;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.connector.kafka.sink.KafkaSink;

/** A Kafka sink whose committer asks what became of a transaction before it is called lost. */
final class ExactlyOnceSink<T> extends KafkaSinkDecorator<T> {
  private static final long serialVersionUID = 1L;

  /** A coordinator has read its log by then. Nothing is committed meanwhile. */
  private static final Duration UNTIL_FORGOTTEN = Duration.ofSeconds(15);

  private final Brokers brokers;

  ExactlyOnceSink(KafkaSink<T> sink, Brokers brokers) {
    super(sink);
    this.brokers = brokers;
  }

  @Override
  public Committer<KafkaCommittable> createCommitter(CommitterInitContext context) {
    return new ReconcilingCommitter(
        super.createCommitter(context),
        new TransactionCoordinatorLookup(brokers.settings(), UNTIL_FORGOTTEN));
  }
}
