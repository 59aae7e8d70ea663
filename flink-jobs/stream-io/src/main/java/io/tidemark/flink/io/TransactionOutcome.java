package io.tidemark.flink.io;

import org.apache.flink.connector.kafka.sink.KafkaCommittable;

/** What became of a transaction whose commit was refused. */
interface TransactionOutcome extends AutoCloseable {

  /**
   * Whether exactly this transaction was committed, or will be; false when it was aborted or nobody
   * remembers it.
   *
   * @throws Exception when nobody could be asked
   */
  boolean isCommitted(KafkaCommittable transaction) throws Exception;
}
