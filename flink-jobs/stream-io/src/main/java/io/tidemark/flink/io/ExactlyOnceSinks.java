package io.tidemark.flink.io;

import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.sink.TransactionNamingStrategy;

/** Kafka sinks whose records appear with the checkpoint that covers them. */
public final class ExactlyOnceSinks {

  /** Holds a bundle of rows, so that its memory is taken from the producer's pool. */
  private static final int BATCH_BYTES = 512 * 1024;

  private ExactlyOnceSinks() {}

  /**
   * @param name part of the transactional ids; stable
   * @param largestRecord bytes; the topic must take records of this size
   */
  public static <T> Sink<T> sink(
      Brokers brokers,
      ExactlyOnce transactions,
      String name,
      int largestRecord,
      KafkaRecordSerializationSchema<T> serializer) {
    KafkaSink<T> sink =
        KafkaSink.<T>builder()
            .setBootstrapServers(brokers.bootstrapServers())
            .setKafkaProducerConfig(brokers.properties())
            .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
            // Pooled ids leave orphans after a smaller restart and stop at the producer epoch's
            // limit.
            .setTransactionNamingStrategy(TransactionNamingStrategy.INCREMENTING)
            .setTransactionalIdPrefix(transactions.prefixOf(name))
            .setProperty(
                "transaction.timeout.ms",
                Long.toString(transactions.transactionTimeout().toMillis()))
            .setProperty("max.request.size", Integer.toString(largestRecord))
            .setProperty("compression.type", "lz4")
            .setProperty("linger.ms", "20")
            .setProperty("batch.size", Integer.toString(BATCH_BYTES))
            .setRecordSerializer(serializer)
            .build();
    return new ExactlyOnceSink<>(sink, brokers);
  }
}
