package io.tidemark.platform.outbox;

import java.util.List;

/** Writes control records where the pipeline reads them. */
@FunctionalInterface
public interface ControlRecordPublisher {

  /**
   * Writes the records in their order, and returns when all are kept for good.
   *
   * @throws IllegalStateException when that is not certain; some may be kept
   */
  void publish(List<ControlRecord> records);
}
