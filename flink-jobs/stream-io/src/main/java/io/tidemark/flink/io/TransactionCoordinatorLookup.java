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
 * transactional.id.expiration.ms}. One that knows nothing of it is asked again for a while: a
 * broker that loses and gets the leadership of its log while it reads it knows nothing for a
 * moment.
 */
final class TransactionCoordinatorLookup implements TransactionOutcome {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionCoordinatorLookup.class);

  private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(500);

  private final Map<String, Object> settings;
  private final Duration patience;
  private @Nullable Admin admin;

  /**
   * @param patience for how long a coordinator that knows nothing is asked again
   */
  TransactionCoordinatorLookup(Map<String, Object> settings, Duration patience) {
    this.settings = settings;
    this.patience = patience;
  }

  @Override
  public State of(KafkaCommittable transaction) throws Exception {
    long left = patience.dividedBy(BETWEEN_QUESTIONS);
    State state = ask(transaction);
    while (state == State.FORGOTTEN && left > 0) {
      Thread.sleep(BETWEEN_QUESTIONS.toMillis());
      state = ask(transaction);
      left--;
    }
    return state;
  }

  private State ask(KafkaCommittable transaction) throws Exception {
    if (admin == null) {
      admin = Admin.create(settings);
    }
    String id = transaction.getTransactionalId();
    try {
      TransactionDescription now = admin.describeTransactions(List.of(id)).description(id).get();
      State state = state(transaction, now);
      if (state != State.COMMITTED) {
        LOG.error("Of {} the coordinator says: {}", transaction, now);
      }
      return state;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TransactionalIdNotFoundException) {
        return State.FORGOTTEN;
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
  private static State state(KafkaCommittable transaction, TransactionDescription now) {
    if (now.producerId() != transaction.getProducerId()) {
      return State.LOST;
    }
    int later = now.producerEpoch() - transaction.getEpoch();
    return switch (now.state()) {
      case PREPARE_COMMIT, COMPLETE_COMMIT ->
          later == 0 || later == 1 ? State.COMMITTED : State.LOST;
      case EMPTY -> later == 1 ? State.COMMITTED : State.LOST;
      case ONGOING -> later == 0 ? State.OPEN : State.LOST;
      default -> State.LOST;
    };
  }

  @Override
  public void close() {
    if (admin != null) {
      admin.close(Duration.ZERO);
    }
  }
}
