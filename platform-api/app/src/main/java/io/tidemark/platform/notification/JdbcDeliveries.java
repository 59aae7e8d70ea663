package io.tidemark.platform.notification;

import static io.tidemark.platform.notification.StoredTime.time;
import static io.tidemark.platform.notification.StoredTime.timeOrNull;
import static io.tidemark.platform.notification.StoredTime.utc;

import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the tables delivery and delivery_attempt. */
@Repository
class JdbcDeliveries {

  private final JdbcClient jdbc;

  JdbcDeliveries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Keeps messages, numbered in this order; one that is kept already stays as it is. */
  void insert(TenantId organization, List<Delivery> deliveries) {
    jdbc.sql(
            """
            INSERT INTO delivery (organization_id, id, integration_id, order_key, message_id, type,
              incident_id, transition_id, body, state, created_at, next_attempt_at, attempt_count)
            SELECT :organization, d.id, d.integration, d.order_key, d.message, d.type, d.incident,
              d.transition, d.body, 'waiting', d.created::timestamptz, d.next::timestamptz, 0
            FROM unnest(:ids::text[], :integrations::text[], :orderKeys::text[], :messages::text[],
              :types::text[], :incidents::text[], :transitions::text[], :bodies::text[],
              :created::text[], :next::text[])
              WITH ORDINALITY
              AS d (id, integration, order_key, message, type, incident, transition, body, created,
                next, place)
            ORDER BY d.place
            ON CONFLICT DO NOTHING
            """)
        .param("organization", organization.value())
        .param("ids", texts(deliveries, Delivery::id))
        .param("integrations", texts(deliveries, Delivery::integrationId))
        .param("orderKeys", texts(deliveries, Delivery::orderKey))
        .param("messages", texts(deliveries, Delivery::messageId))
        .param("types", texts(deliveries, Delivery::type))
        .param("incidents", texts(deliveries, Delivery::incidentId))
        .param("transitions", texts(deliveries, Delivery::transitionId))
        .param("bodies", texts(deliveries, Delivery::body))
        .param("created", texts(deliveries, delivery -> delivery.createdAt().toString()))
        .param("next", texts(deliveries, delivery -> delivery.nextAttemptAt().toString()))
        .update();
  }

  private static @Nullable String[] texts(
      List<Delivery> deliveries, Function<Delivery, @Nullable String> value) {
    return deliveries.stream().map(value).toArray(String[]::new);
  }

  /** Takes it for this instance until a time; false when another has it, or it is not due. */
  boolean claim(TenantId organization, String id, Instant now, Instant until) {
    return jdbc.sql(
                """
                UPDATE delivery SET claimed_until = :until
                WHERE organization_id = :organization AND id = :id AND state = 'waiting'
                  AND next_attempt_at <= :now AND (claimed_until IS NULL OR claimed_until <= :now)
                """)
            .param("organization", organization.value())
            .param("id", id)
            .param("now", utc(now))
            .param("until", utc(until))
            .update()
        == 1;
  }

  /** Ends the claim that lasts until the given time; false when it was lost. */
  boolean settle(
      TenantId organization,
      String id,
      Instant claimedUntil,
      String state,
      Instant nextAttemptAt,
      @Nullable Instant endedAt) {
    return jdbc.sql(
                """
                UPDATE delivery SET state = :state, next_attempt_at = :next, ended_at = :ended,
                  attempt_count = attempt_count + 1, claimed_until = NULL
                WHERE organization_id = :organization AND id = :id AND claimed_until = :claimed
                """)
            .param("organization", organization.value())
            .param("id", id)
            .param("claimed", utc(claimedUntil))
            .param("state", state)
            .param("next", utc(nextAttemptAt))
            .param("ended", utc(endedAt), Types.TIMESTAMP_WITH_TIMEZONE)
            .update()
        == 1;
  }

  /** The claim ends without an attempt. */
  void letGo(TenantId organization, String id, Instant claimedUntil, Instant nextAttemptAt) {
    jdbc.sql(
            """
            UPDATE delivery SET claimed_until = NULL, next_attempt_at = :next
            WHERE organization_id = :organization AND id = :id AND claimed_until = :claimed
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("claimed", utc(claimedUntil))
        .param("next", utc(nextAttemptAt))
        .update();
  }

  /** Everything that waits for the integration is due. */
  void hurry(TenantId organization, String integration, Instant now) {
    jdbc.sql(
            """
            UPDATE delivery SET next_attempt_at = :now
            WHERE organization_id = :organization AND integration_id = :integration
              AND state = 'waiting' AND next_attempt_at > :now
            """)
        .param("organization", organization.value())
        .param("integration", integration)
        .param("now", utc(now))
        .update();
  }

  /** Waits again, whatever it did. */
  void again(TenantId organization, String id, Instant now) {
    jdbc.sql(
            """
            UPDATE delivery SET state = 'waiting', next_attempt_at = :now, ended_at = NULL
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("now", utc(now))
        .update();
  }

  /** Whether no other process prunes deliveries of the organisation until this transaction ends. */
  boolean ownPruning(TenantId organization) {
    return jdbc.sql("SELECT pg_try_advisory_xact_lock(hashtextextended(:key, 53))")
        .param("key", "deliveries.prune " + organization)
        .query(Boolean.class)
        .single();
  }

  /** Deliveries that ended before, with their attempts; those that wait stay. */
  long forget(TenantId organization, Instant endedBefore, int most) {
    return jdbc.sql(
            """
            DELETE FROM delivery
            WHERE organization_id = :organization AND ended_at < :before AND id IN (
              SELECT id FROM delivery
              WHERE organization_id = :organization AND ended_at < :before
              ORDER BY ended_at LIMIT :most)
            """)
        .param("organization", organization.value())
        .param("before", utc(endedBefore))
        .param("most", most)
        .update();
  }

  /** Whether a message of a type waits for the integration. */
  boolean waits(TenantId organization, String integration, String type) {
    return jdbc.sql(
            """
            SELECT EXISTS (
              SELECT FROM delivery
              WHERE organization_id = :organization AND integration_id = :integration
                AND state = 'waiting' AND type = :type)
            """)
        .param("organization", organization.value())
        .param("integration", integration)
        .param("type", type)
        .query(Boolean.class)
        .single();
  }

  Optional<Delivery> find(TenantId organization, String id) {
    return jdbc.sql("SELECT * FROM delivery WHERE organization_id = :organization AND id = :id")
        .param("organization", organization.value())
        .param("id", id)
        .query((row, number) -> delivery(row))
        .optional();
  }

  /** Newest first, before a number. */
  List<Delivery> list(TenantId organization, String integration, long before, int most) {
    return jdbc.sql(
            """
            SELECT * FROM delivery
            WHERE organization_id = :organization AND integration_id = :integration
              AND number < :before
            ORDER BY number DESC LIMIT :most
            """)
        .param("organization", organization.value())
        .param("integration", integration)
        .param("before", before)
        .param("most", most)
        .query((row, number) -> delivery(row))
        .list();
  }

  void addAttempt(TenantId organization, String delivery, DeliveryAttempt attempt) {
    jdbc.sql(
            """
            INSERT INTO delivery_attempt (organization_id, delivery_id, attempted_at, duration_ms,
              status, error, answer)
            VALUES (:organization, :delivery, :at, :duration, :status, :error, :answer)
            """)
        .param("organization", organization.value())
        .param("delivery", delivery)
        .param("at", utc(attempt.at()))
        .param("duration", attempt.durationMs())
        .param("status", attempt.status(), Types.INTEGER)
        .param("error", attempt.error(), Types.VARCHAR)
        .param("answer", attempt.answer(), Types.VARCHAR)
        .update();
  }

  /** The newest, oldest of them first. */
  List<DeliveryAttempt> attempts(TenantId organization, String delivery, int most) {
    return jdbc.sql(
            """
            SELECT * FROM (
              SELECT * FROM delivery_attempt
              WHERE organization_id = :organization AND delivery_id = :delivery
              ORDER BY number DESC LIMIT :most) AS newest
            ORDER BY number
            """)
        .param("organization", organization.value())
        .param("delivery", delivery)
        .param("most", most)
        .query(
            (row, number) ->
                new DeliveryAttempt(
                    time(row, "attempted_at"),
                    row.getLong("duration_ms"),
                    row.getObject("status", Integer.class),
                    row.getString("error"),
                    row.getString("answer")))
        .list();
  }

  private static Delivery delivery(ResultSet row) throws SQLException {
    return new Delivery(
        row.getString("id"),
        row.getLong("number"),
        row.getString("integration_id"),
        row.getString("order_key"),
        row.getString("message_id"),
        row.getString("type"),
        row.getString("incident_id"),
        row.getString("transition_id"),
        row.getString("body"),
        row.getString("state"),
        time(row, "created_at"),
        time(row, "next_attempt_at"),
        row.getInt("attempt_count"),
        timeOrNull(row, "ended_at"));
  }
}
