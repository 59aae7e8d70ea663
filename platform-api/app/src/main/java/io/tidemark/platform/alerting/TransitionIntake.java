package io.tidemark.platform.alerting;

import io.tidemark.platform.alerting.TransitionBatches.Batch;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.TransactionException;

/**
 * Records the transitions of one poll, many in a transaction.
 *
 * <p>A batch that fails is halved until the transition that fails is alone, so that the others are
 * recorded. One that the database refuses is logged and passed; one that fails otherwise is tried
 * in the next polls too, and later transitions of its group wait for it. Used by one thread.
 */
@Service
public class TransitionIntake {

  private static final Logger LOG = LoggerFactory.getLogger(TransitionIntake.class);

  private final TransitionWriter writer;
  private final UnrecordedTransitions unrecorded = new UnrecordedTransitions();

  TransitionIntake(TransitionWriter writer) {
    this.writer = writer;
  }

  /**
   * Records transitions in the order in which they were read.
   *
   * @throws RuntimeException when the poll has to be read again: the database is not available, or
   *     a transition is not recorded yet
   */
  public void record(List<AlertTransition> polled) {
    unrecorded.begin();
    TransitionBatches.of(polled).forEach(this::record);
    if (unrecorded.count() > 0) {
      throw new IllegalStateException(
          unrecorded.count() + " of " + polled.size() + " transitions are not recorded yet");
    }
  }

  private void record(Batch planned) {
    List<AlertTransition> ready = unrecorded.ready(planned.transitions());
    if (ready.isEmpty()) {
      return;
    }
    Batch batch = new Batch(planned.organization(), ready);
    try {
      writer.record(batch.organization(), batch.transitions());
    } catch (DataAccessResourceFailureException | TransactionException notAvailable) {
      throw notAvailable;
    } catch (RuntimeException failure) {
      if (batch.isSingle()) {
        contain(batch.transitions().get(0), failure);
      } else {
        LOG.debug("{} transitions are recorded in halves", ready.size(), failure);
        batch.halves().forEach(this::record);
      }
    }
  }

  private void contain(AlertTransition transition, RuntimeException failure) {
    boolean isRefused = failure instanceof DataIntegrityViolationException;
    if (!isRefused && failure instanceof DataAccessException) {
      // A lock or a connection: nothing is wrong with the transition.
      throw failure;
    }
    if (isRefused || unrecorded.isGivenUpAfter(transition)) {
      LOG.error(
          "Transition {} of {} is not recorded and given up",
          transition.id(),
          transition.organization(),
          failure);
    } else {
      LOG.warn(
          "Transition {} of {} is not recorded; tried again: {}",
          transition.id(),
          transition.organization(),
          failure.toString());
    }
  }
}
