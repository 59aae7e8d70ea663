package io.tidemark.platform.replay;

import io.tidemark.platform.replay.DeadLetterReplay.State;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Rows of the table dead_letter_replay. */
@Repository
class JdbcDeadLetterReplays {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final JdbcClient jdbc;

  JdbcDeadLetterReplays(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void insert(TenantId organization, DeadLetterReplay replay) {
    jdbc.sql(
            """
            INSERT INTO dead_letter_replay (organization_id, id, environment_id, state, reasons,
              received_from, received_to, created_at, due_at)
            VALUES (:organization, :id, :environment, :state, :reasons, :from, :to, :created, :created)
            """)
        .param("organization", organization.value())
        .param("id", replay.id())
        .param("environment", replay.environment().value())
        .param("state", replay.state().wireName())
        .param("reasons", replay.reasons().toArray(String[]::new))
        .param("from", utc(replay.receivedFrom()))
        .param("to", utc(replay.receivedTo()))
        .param("created", utc(replay.createdAt()))
        .update();
  }

  Optional<DeadLetterReplay> find(TenantId organization, EnvironmentId environment, String id) {
    return jdbc.sql(
            """
            SELECT * FROM dead_letter_replay
            WHERE organization_id = :organization AND environment_id = :environment AND id = :id
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("id", id)
        .query((row, number) -> replay(row))
        .optional();
  }

  Optional<DeadLetterReplay> find(TenantId organization, String id) {
    return jdbc.sql(
            "SELECT * FROM dead_letter_replay WHERE organization_id = :organization AND id = :id")
        .param("organization", organization.value())
        .param("id", id)
        .query((row, number) -> replay(row))
        .optional();
  }

  /** Replays of an environment before an identifier, newest first. */
  List<DeadLetterReplay> list(
      TenantId organization, EnvironmentId environment, String before, int most) {
    return jdbc.sql(
            """
            SELECT * FROM dead_letter_replay
            WHERE organization_id = :organization AND environment_id = :environment
              AND (:before = '' OR id < :before)
            ORDER BY id DESC LIMIT :most
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("before", before)
        .param("most", most)
        .query((row, number) -> replay(row))
        .list();
  }

  /** Whether one of the environment is counted or executed now. */
  boolean isOneRunning(TenantId organization, EnvironmentId environment) {
    return jdbc.sql(
            """
            SELECT EXISTS (
              SELECT FROM dead_letter_replay
              WHERE organization_id = :organization AND environment_id = :environment
                AND state IN ('counting', 'replaying'))
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .query(Boolean.class)
        .single();
  }

  void execute(TenantId organization, String id, Instant at) {
    jdbc.sql(
            """
            UPDATE dead_letter_replay SET state = 'replaying', executed_at = :at, due_at = :at,
              records_read = 0, attempts = 0
            WHERE organization_id = :organization AND id = :id AND state = 'counted'
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("at", utc(at))
        .update();
  }

  void claim(TenantId organization, String id, Instant until) {
    jdbc.sql(
            """
            UPDATE dead_letter_replay SET claimed_until = :until
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("until", utc(until))
        .update();
  }

  /** Renews a claim; false when another instance has it. */
  boolean advance(
      TenantId organization, String id, Instant claim, Instant until, long read, long toRead) {
    return jdbc.sql(
                """
                UPDATE dead_letter_replay SET claimed_until = :until, records_read = :read,
                  records_to_read = :toRead
                WHERE organization_id = :organization AND id = :id AND claimed_until = :claim
                """)
            .param("organization", organization.value())
            .param("id", id)
            .param("claim", utc(claim))
            .param("until", utc(until))
            .param("read", read)
            .param("toRead", toRead)
            .update()
        == 1;
  }

  /** What the work came to; false when another instance has the claim. */
  boolean finish(TenantId organization, DeadLetterReplay done, Instant claim) {
    return jdbc.sql(
                """
                UPDATE dead_letter_replay SET state = :state, finished_at = :finished,
                  ranges = :ranges::jsonb, counts = :counts::jsonb, failure = :failure,
                  records_read = :read, claimed_until = NULL, attempts = 0
                WHERE organization_id = :organization AND id = :id AND claimed_until = :claim
                """)
            .param("organization", organization.value())
            .param("id", done.id())
            .param("claim", utc(claim))
            .param("state", done.state().wireName())
            .param("finished", done.finishedAt() == null ? null : utc(done.finishedAt()))
            .param("ranges", JSON.writeValueAsString(done.ranges()))
            .param("counts", JSON.writeValueAsString(done.counts()))
            .param("failure", done.failure())
            .param("read", done.recordsRead())
            .update()
        == 1;
  }

  /** Gives the claim back until a time; the number of attempts so far. */
  int postpone(TenantId organization, String id, Instant claim, Instant due, boolean isFailure) {
    return jdbc.sql(
            """
            UPDATE dead_letter_replay SET claimed_until = NULL, due_at = :due,
              attempts = attempts + :more
            WHERE organization_id = :organization AND id = :id AND claimed_until = :claim
            RETURNING attempts
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("claim", utc(claim))
        .param("due", utc(due))
        .param("more", isFailure ? 1 : 0)
        .query(Integer.class)
        .optional()
        .orElse(0);
  }

  /** Removes all of the environment but the newest ones; those that run stay. */
  int removeOld(TenantId organization, EnvironmentId environment, int newest) {
    return jdbc.sql(
            """
            DELETE FROM dead_letter_replay
            WHERE organization_id = :organization AND environment_id = :environment
              AND state NOT IN ('counting', 'replaying') AND id NOT IN (
                SELECT id FROM dead_letter_replay
                WHERE organization_id = :organization AND environment_id = :environment
                ORDER BY id DESC LIMIT :newest)
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("newest", newest)
        .update();
  }

  int removeAll(TenantId organization, EnvironmentId environment) {
    return jdbc.sql(
            """
            DELETE FROM dead_letter_replay
            WHERE organization_id = :organization AND environment_id = :environment
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .update();
  }

  private static OffsetDateTime utc(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }

  private static DeadLetterReplay replay(ResultSet row) throws SQLException {
    return new DeadLetterReplay(
        row.getString("id"),
        new EnvironmentId(row.getString("environment_id")),
        State.valueOf(row.getString("state").toUpperCase(java.util.Locale.ROOT)),
        List.of((String[]) row.getArray("reasons").getArray()),
        time(row, "received_from"),
        time(row, "received_to"),
        time(row, "created_at"),
        timeOrNull(row, "executed_at"),
        timeOrNull(row, "finished_at"),
        JSON.readValue(row.getString("ranges"), new TypeReference<List<OffsetRange>>() {}),
        JSON.readValue(row.getString("counts"), new TypeReference<List<ReplayCount>>() {}),
        row.getLong("records_read"),
        row.getLong("records_to_read"),
        row.getString("failure"));
  }

  private static Instant time(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static @Nullable Instant timeOrNull(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
