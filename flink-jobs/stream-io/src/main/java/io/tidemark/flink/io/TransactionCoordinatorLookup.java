package io.tidemark.flink.io;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionDescription;
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
   * An id is used for one transaction, unless a restart began it anew. Committing makes its epoch
   * higher by one, since Kafka 4: with the commit, or right after it by a committer that has
   * learned only meanwhile that its broker can do so, which leaves the id without a transaction. An
   * id that is without one after an abort has an epoch that is higher by two or more.
   */
  private static boolean isCommitted(KafkaCommittable transaction, TransactionDescription now) {
    if (now.producerId() != transaction.getProducerId()) {
      return false;
    }
    int later = now.producerEpoch() - transaction.getEpoch();
    return switch (now.state()) {
      case PREPARE_COMMIT, COMPLETE_COMMIT -> later == 0 || later == 1;
      case EMPTY -> later == 1;
      default -> false;
    };
  }

  @Override
  public void close() {
    if (admin != null) {
      admin.close(Duration.ZERO);
    }
  }
}
