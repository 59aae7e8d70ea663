package io.tidemark.flink.io;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the transaction coordinator, which remembers an ended transaction for {@code
 * transactional.id.expiration.ms}.
 */
final class TransactionCoordinatorLookup implements TransactionOutcome {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionCoordinatorLookup.class);

  private final Map<String, Object> settings;
  private @Nullable Admin admin;

  TransactionCoordinatorLookup(Map<String, Object> settings) {
    this.settings = settings;
  }

  @Override
  public boolean isCommitted(KafkaCommittable transaction) throws Exception {
    if (admin == null) {
      admin = Admin.create(settings);
    }
    String id = transaction.getTransactionalId();
    try {
      TransactionDescription now = admin.describeTransactions(List.of(id)).description(id).get();
      boolean isCommitted = isCommitted(transaction, now);
      if (!isCommitted) {
        LOG.error("Of {} the coordinator says: {}", transaction, now);
      }
      return isCommitted;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TransactionalIdNotFoundException) {
        return false;
      }
      throw e;
    }
  }

  /**
   * An id is used for one transaction, unless a restart began it anew: then its epoch is higher.
   * Ending a transaction makes it higher by one, since Kafka 4.
   */
  private static boolean isCommitted(KafkaCommittable transaction, TransactionDescription now) {
    boolean isSame =
        now.producerId() == transaction.getProducerId()
            && (now.producerEpoch() == transaction.getEpoch()
                || now.producerEpoch() == transaction.getEpoch() + 1);
    return isSame
        && (now.state() == TransactionState.COMPLETE_COMMIT
            || now.state() == TransactionState.PREPARE_COMMIT);
  }

  @Override
  public void close() {
    if (admin != null) {
      admin.close(Duration.ZERO);
    }
  }
}
