package io.tidemark.platform.outbox;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Control records of all organisations, for publishing. PostgreSQL lets the application reach them
 * through these functions only.
 */
@Repository
class CrossTenantControlRecords {

  private static final long PUBLISHER_LOCK = 0x7469_6465_6f75_7462L;

  private final JdbcClient jdbc;

  CrossTenantControlRecords(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Whether this instance may publish until its transaction ends; one at a time may. */
  boolean mayPublish() {
    return jdbc.sql("SELECT pg_try_advisory_xact_lock(:lock)")
        .param("lock", PUBLISHER_LOCK)
        .query(Boolean.class)
        .single();
  }

  /**
   * Records in the order of topic and key.
   *
   * @param every also those that Kafka has confirmed
   * @param afterTopic with afterKey, the place to go on from; empty to begin
   */
  List<ControlRecord> toPublish(boolean every, String afterTopic, String afterKey, int most) {
    return jdbc.sql("SELECT * FROM control_records_to_publish(:every, :topic, :key, :most)")
        .param("every", every)
        .param("topic", afterTopic)
        .param("key", afterKey)
        .param("most", most)
        .query(
            (row, number) ->
                new ControlRecord(
                    row.getString("topic"),
                    row.getString("key"),
                    row.getBytes("value"),
                    row.getLong("version")))
        .list();
  }

  /** Tombstones that nobody can need any more go. */
  void forget() {
    jdbc.sql("SELECT forget_control_records()").query((row, number) -> number).list();
  }

  /** Kafka has confirmed this version of the record. */
  void published(ControlRecord record) {
    jdbc.sql("SELECT control_record_is_published(:topic, :key, :version)")
        .param("topic", record.topic())
        .param("key", record.key())
        .param("version", record.version())
        .query((row, number) -> number)
        .list();
  }
}
