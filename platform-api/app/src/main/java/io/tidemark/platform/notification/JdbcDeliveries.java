package io.tidemark.platform.notification;

import static io.tidemark.platform.notification.StoredTime.time;
import static io.tidemark.platform.notification.StoredTime.timeOrNull;
import static io.tidemark.platform.notification.StoredTime.utc;

import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Rows of the tables delivery and delivery_attempt. */
@Repository
class JdbcDeliveries {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final TypeReference<Map<String, String>> HEADERS = new TypeReference<>() {};

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

  private static <T> @Nullable String[] texts(List<T> rows, Function<T, @Nullable String> value) {
    return rows.stream().map(value).toArray(String[]::new);
  }

  /** How an attempt left a delivery. */
  record Settled(String id, String state, Instant nextAttemptAt, @Nullable Instant endedAt) {}

  /** An attempt of a delivery. */
  record LoggedAttempt(String delivery, DeliveryAttempt attempt) {}

  /**
   * Takes deliveries of an integration for this process until a time. Those that another has, and
   * those that are not due, are left out.
   */
  List<Delivery> claim(
      TenantId organization, String integration, List<String> ids, Instant now, Instant until) {
    return jdbc
        .sql(
            """
            UPDATE delivery SET claimed_until = :until
            WHERE organization_id = :organization AND id = ANY (:ids)
              AND integration_id = :integration AND state = 'waiting' AND next_attempt_at <= :now
              AND (claimed_until IS NULL OR claimed_until <= :now)
            RETURNING *
            """)
        .param("organization", organization.value())
        .param("integration", integration)
        .param("ids", ids.toArray(String[]::new))
        .param("now", utc(now))
        .param("until", utc(until))
        .query((row, number) -> delivery(row))
        .list()
        .stream()
        .sorted(Comparator.comparingLong(Delivery::number))
        .toList();
  }

  /** Ends claims that last until the given time; the identifiers of those that were not lost. */
  Set<String> settle(TenantId organization, Instant claimedUntil, List<Settled> settled) {
    return Set.copyOf(
        jdbc.sql(
                """
                UPDATE delivery AS d SET state = s.state, next_attempt_at = s.next::timestamptz,
                  ended_at = s.ended::timestamptz, attempt_count = d.attempt_count + 1,
                  claimed_until = NULL
                FROM unnest(:ids::text[], :states::text[], :next::text[], :ended::text[])
                  AS s (id, state, next, ended)
                WHERE d.organization_id = :organization AND d.id = s.id
                  AND d.claimed_until = :claimed
                RETURNING d.id
                """)
            .param("organization", organization.value())
            .param("ids", texts(settled, Settled::id))
            .param("states", texts(settled, Settled::state))
            .param("next", texts(settled, one -> one.nextAttemptAt().toString()))
            .param(
                "ended",
                texts(settled, one -> one.endedAt() == null ? null : one.endedAt().toString()))
            .param("claimed", utc(claimedUntil))
            .query(String.class)
            .list());
  }

  /** Claims end without an attempt. */
  void letGo(TenantId organization, List<String> ids, Instant claimedUntil) {
    if (ids.isEmpty()) {
      return;
    }
    jdbc.sql(
            """
            UPDATE delivery SET claimed_until = NULL
            WHERE organization_id = :organization AND id = ANY (:ids) AND claimed_until = :claimed
            """)
        .param("organization", organization.value())
        .param("ids", ids.toArray(String[]::new))
        .param("claimed", utc(claimedUntil))
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

  void addAttempts(TenantId organization, List<LoggedAttempt> attempts) {
    jdbc.sql(
            """
            INSERT INTO delivery_attempt (organization_id, delivery_id, attempted_at, duration_ms,
              url, headers, status, error, answer)
            SELECT :organization, a.delivery, a.at::timestamptz, a.duration::bigint, a.url,
              a.headers::jsonb, a.status::integer, a.error, a.answer
            FROM unnest(:deliveries::text[], :at::text[], :durations::text[], :urls::text[],
              :headers::text[], :statuses::text[], :errors::text[], :answers::text[])
              WITH ORDINALITY
              AS a (delivery, at, duration, url, headers, status, error, answer, place)
            ORDER BY a.place
            """)
        .param("organization", organization.value())
        .param("deliveries", texts(attempts, LoggedAttempt::delivery))
        .param("at", texts(attempts, one -> one.attempt().at().toString()))
        .param("durations", texts(attempts, one -> Long.toString(one.attempt().durationMs())))
        .param("urls", texts(attempts, one -> url(one.attempt().request())))
        .param("headers", texts(attempts, one -> headers(one.attempt().request())))
        .param("statuses", texts(attempts, one -> text(one.attempt().status())))
        .param("errors", texts(attempts, one -> one.attempt().error()))
        .param("answers", texts(attempts, one -> one.attempt().answer()))
        .update();
  }

  private static @Nullable String url(@Nullable SentRequest request) {
    return request == null ? null : request.url();
  }

  private static @Nullable String headers(@Nullable SentRequest request) {
    return request == null ? null : JSON.writeValueAsString(request.headers());
  }

  private static @Nullable String text(@Nullable Integer number) {
    return number == null ? null : number.toString();
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
                    request(row),
                    row.getObject("status", Integer.class),
                    row.getString("error"),
                    row.getString("answer")))
        .list();
  }

  private static @Nullable SentRequest request(ResultSet row) throws SQLException {
    String url = row.getString("url");
    return url == null
        ? null
        : new SentRequest(url, JSON.readValue(row.getString("headers"), HEADERS));
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
