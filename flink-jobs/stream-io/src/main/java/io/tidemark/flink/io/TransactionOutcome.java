package io.tidemark.flink.io;

import org.apache.flink.connector.kafka.sink.KafkaCommittable;

/** What became of a transaction whose commit was refused. */
interface TransactionOutcome extends AutoCloseable {

  /** What a coordinator says of a transaction. */
  enum State {
    /** Exactly this one was committed, or will be. */
    COMMITTED,
    /** It can still be committed. */
    OPEN,
    /** It was aborted, or its id stands for another one. */
    LOST,
    /** Nobody remembers it. */
    FORGOTTEN
  }

  /**
   * Asks; may take as long as a coordinator needs to read its log.
   *
   * @throws Exception when nobody could be asked
   */
  State of(KafkaCommittable transaction) throws Exception;
}
