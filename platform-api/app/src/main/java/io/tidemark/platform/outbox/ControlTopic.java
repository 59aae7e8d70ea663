package io.tidemark.platform.outbox;

import java.time.Instant;
import java.util.Optional;

/** A control topic and its records, declared by the module that owns it. */
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
