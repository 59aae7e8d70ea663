package io.tidemark.platform.outbox;

import java.time.Instant;
import java.util.Optional;

/** What a module that owns a control topic tells the publisher. */
public interface ControlTopic {

  /** Makes the records that should be there and are not, as after an upgrade. Repeatable. */
  void addMissing();

  /**
   * The record that says how far the topic is complete, when it has such a record.
   *
   * @param publishedThrough every change committed before this time is in the topic
   */
  Optional<ControlRecord> census(Instant publishedThrough);
}
