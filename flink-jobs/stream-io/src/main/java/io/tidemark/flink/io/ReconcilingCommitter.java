package io.tidemark.flink.io;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flink commits the transactions of a restored checkpoint although they were committed before the
 * failure. Ending a transaction raises its epoch, so the broker refuses the second commit as it
 * refuses one of an aborted transaction; Flink counts both as failed. This committer asks which it
 * is: only what is not known to be committed counts as failed. When nobody can be asked, and when a
 * transaction is still open although its id was not known, the job is restarted and commits again;
 * what the broker has forgotten counts as failed.
 */
final class ReconcilingCommitter implements Committer<KafkaCommittable> {
  private static final Logger LOG = LoggerFactory.getLogger(ReconcilingCommitter.class);

  private final Committer<KafkaCommittable> committer;
  private final TransactionOutcome outcome;

  ReconcilingCommitter(Committer<KafkaCommittable> committer, TransactionOutcome outcome) {
    this.committer = committer;
    this.outcome = outcome;
  }

  @Override
  public void commit(Collection<CommitRequest<KafkaCommittable>> requests)
      throws IOException, InterruptedException {
    List<CommitRequest<KafkaCommittable>> asking = new ArrayList<>(requests.size());
    for (CommitRequest<KafkaCommittable> request : requests) {
      asking.add(new ReconcilingRequest(request));
    }
    committer.commit(asking);
  }

  @Override
  public void close() throws Exception {
    try (TransactionOutcome closing = outcome) {
      committer.close();
    }
  }

  private final class ReconcilingRequest implements CommitRequest<KafkaCommittable> {
    private final CommitRequest<KafkaCommittable> request;

    ReconcilingRequest(CommitRequest<KafkaCommittable> request) {
      this.request = request;
    }

    @Override
    public void signalFailedWithKnownReason(Throwable reason) {
      if (!(reason instanceof ProducerFencedException
          || reason instanceof InvalidTxnStateException)) {
        request.signalFailedWithKnownReason(reason);
        return;
      }
      reconcile(reason);
    }

    private void reconcile(Throwable reason) {
      String id = getCommittable().getTransactionalId();
      try {
        switch (outcome.of(getCommittable())) {
          case COMMITTED -> {
            LOG.info("Transaction {} had been committed before; nothing is missing.", id);
            request.signalAlreadyCommitted();
          }
          case OPEN -> {
            LOG.warn("Transaction {} is still open; the job restarts and commits it.", id);
            request.signalFailedWithUnknownReason(reason);
          }
          case LOST -> {
            LOG.error("Transaction {} is not committed; what it held is missing.", id);
            request.signalFailedWithKnownReason(reason);
          }
          case FORGOTTEN -> {
            // Restarting would ask the same again, for ever.
            LOG.error(
                "The broker has forgotten transaction {}: it ended long ago, committed or not.",
                id);
            request.signalFailedWithKnownReason(reason);
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        request.signalFailedWithUnknownReason(e);
      } catch (Exception e) {
        e.addSuppressed(reason);
        request.signalFailedWithUnknownReason(e);
      }
    }

    @Override
    public KafkaCommittable getCommittable() {
      return request.getCommittable();
    }

    @Override
    public int getNumberOfRetries() {
      return request.getNumberOfRetries();
    }

    @Override
    public void signalFailedWithUnknownReason(Throwable reason) {
      if (reason instanceof InvalidPidMappingException) {
        reconcile(reason);
      } else {
        request.signalFailedWithUnknownReason(reason);
      }
    }

    @Override
    public void retryLater() {
      request.retryLater();
    }

    @Override
    public void updateAndRetryLater(KafkaCommittable committable) {
      request.updateAndRetryLater(committable);
    }

    @Override
    public void signalAlreadyCommitted() {
      request.signalAlreadyCommitted();
    }

    @Override
    public String toString() {
      return request.toString();
    }
  }
}
