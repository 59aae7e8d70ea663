package io.tidemark.flink.io;

import java.time.Duration;

/**
 * How a job's Kafka transactions are named and how long they live.
 *
 * @param transactionalIdPrefix unique per job in the Kafka cluster and stable across its versions
 * @param transactionTimeout longer than any outage to survive; at most the broker's
 *     transaction.max.timeout.ms. Kafka aborts an older open transaction, and what it held is lost.
 */
public record ExactlyOnce(String transactionalIdPrefix, Duration transactionTimeout) {

  /** The prefix of one sink of the job. */
  public String prefixOf(String sink) {
    return transactionalIdPrefix + "-" + sink;
  }
}
