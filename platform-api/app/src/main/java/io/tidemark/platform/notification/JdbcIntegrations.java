package io.tidemark.platform.notification;

import static io.tidemark.platform.notification.StoredTime.time;
import static io.tidemark.platform.notification.StoredTime.timeOrNull;
import static io.tidemark.platform.notification.StoredTime.utc;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.databind.json.JsonMapper;

/** Rows of the table integration. */
@Repository
class JdbcIntegrations {

  /** Components of records alone. */
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .changeDefaultVisibility(
              visible ->
                  visible.withIsGetterVisibility(
                      com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility.NONE))
          .build();

  private final JdbcClient jdbc;

  JdbcIntegrations(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Makes the row, or puts it in the place of the one before. */
  void put(TenantId organization, Integration integration) {
    jdbc.sql(
            """
            INSERT INTO integration (organization_id, environment_id, id, definition, secret,
              old_secret, old_secret_until, routing_key, disabled_reason, failing_since, failure_count,
              paused_until, version, created_at, updated_at)
            VALUES (:organization, :environment, :id, :definition::jsonb, :secret, :oldSecret,
              :oldSecretUntil, :routingKey, :disabled, :failing, :failures, :paused, :version, :created,
              :updated)
            ON CONFLICT (organization_id, id) DO UPDATE SET
              definition = excluded.definition, secret = excluded.secret,
              old_secret = excluded.old_secret, old_secret_until = excluded.old_secret_until,
              routing_key = excluded.routing_key, disabled_reason = excluded.disabled_reason,
              failing_since = excluded.failing_since, failure_count = excluded.failure_count,
              paused_until = excluded.paused_until, version = excluded.version,
              updated_at = excluded.updated_at
            """)
        .param("organization", organization.value())
        .param("environment", integration.environment().value())
        .param("id", integration.id())
        .param("definition", JSON.writeValueAsString(integration.definition()))
        .param("secret", integration.secret(), Types.BINARY)
        .param("oldSecret", integration.oldSecret(), Types.BINARY)
        .param("oldSecretUntil", utc(integration.oldSecretUntil()), Types.TIMESTAMP_WITH_TIMEZONE)
        .param("routingKey", integration.routingKey(), Types.BINARY)
        .param("disabled", integration.disabledReason(), Types.VARCHAR)
        .param("failing", utc(integration.failingSince()), Types.TIMESTAMP_WITH_TIMEZONE)
        .param("failures", integration.failures())
        .param("paused", utc(integration.pausedUntil()), Types.TIMESTAMP_WITH_TIMEZONE)
        .param("version", integration.version())
        .param("created", utc(integration.createdAt()))
        .param("updated", utc(integration.updatedAt()))
        .update();
  }

  /** Whether the last deliveries failed, and until when it is left alone. */
  void setHealth(
      TenantId organization,
      String id,
      @Nullable Instant failingSince,
      int failures,
      @Nullable Instant pausedUntil,
      @Nullable String disabledReason) {
    jdbc.sql(
            """
            UPDATE integration SET failing_since = :failing, failure_count = :failures,
              paused_until = :paused, disabled_reason = :disabled
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("failing", utc(failingSince), Types.TIMESTAMP_WITH_TIMEZONE)
        .param("failures", failures)
        .param("paused", utc(pausedUntil), Types.TIMESTAMP_WITH_TIMEZONE)
        .param("disabled", disabledReason, Types.VARCHAR)
        .update();
  }

  /** Holds the row until the transaction ends; whether its heartbeat is still due. */
  boolean lockHeartbeat(TenantId organization, String id, Instant now) {
    return jdbc.sql(
            """
            SELECT 1 FROM integration
            WHERE organization_id = :organization AND id = :id
              AND (heartbeat_at IS NULL OR heartbeat_at <= :now) FOR NO KEY UPDATE SKIP LOCKED
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("now", utc(now))
        .query(Integer.class)
        .optional()
        .isPresent();
  }

  /** When the next heartbeat is due. */
  void setHeartbeat(TenantId organization, String id, Instant next) {
    jdbc.sql(
            """
            UPDATE integration SET heartbeat_at = :next
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("next", utc(next))
        .update();
  }

  /**
   * What is sealed of an integration.
   *
   * @param oldSecret null when one secret is in use
   * @param routingKey null for integrations that have none
   */
  @SuppressWarnings("ArrayRecordComponent") // Sealed secrets; never compared.
  record Sealed(
      String id, byte[] secret, byte @Nullable [] oldSecret, byte @Nullable [] routingKey) {}

  List<Sealed> sealed(TenantId organization) {
    return jdbc.sql(
            """
            SELECT id, secret, old_secret, routing_key FROM integration
            WHERE organization_id = :organization FOR UPDATE
            """)
        .param("organization", organization.value())
        .query(
            (row, number) ->
                new Sealed(row.getString(1), row.getBytes(2), row.getBytes(3), row.getBytes(4)))
        .list();
  }

  /** The same secrets, sealed otherwise: no other version of the integration. */
  void setSealed(TenantId organization, Sealed sealed) {
    jdbc.sql(
            """
            UPDATE integration SET secret = :secret, old_secret = :oldSecret,
              routing_key = :routingKey
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", sealed.id())
        .param("secret", sealed.secret(), Types.BINARY)
        .param("oldSecret", sealed.oldSecret(), Types.BINARY)
        .param("routingKey", sealed.routingKey(), Types.BINARY)
        .update();
  }

  void delete(TenantId organization, String id) {
    jdbc.sql("DELETE FROM integration WHERE organization_id = :organization AND id = :id")
        .param("organization", organization.value())
        .param("id", id)
        .update();
  }

  long eraseEnvironment(TenantId organization, EnvironmentId environment) {
    return jdbc.sql(
            """
            DELETE FROM integration
            WHERE organization_id = :organization AND environment_id = :environment
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .update();
  }

  Optional<Integration> find(TenantId organization, String id) {
    return jdbc.sql("SELECT * FROM integration WHERE organization_id = :organization AND id = :id")
        .param("organization", organization.value())
        .param("id", id)
        .query((row, number) -> integration(row))
        .optional();
  }

  /** The same, held until the transaction ends. */
  Optional<Integration> lock(TenantId organization, String id) {
    return jdbc.sql(
            """
            SELECT * FROM integration
            WHERE organization_id = :organization AND id = :id FOR NO KEY UPDATE
            """)
        .param("organization", organization.value())
        .param("id", id)
        .query((row, number) -> integration(row))
        .optional();
  }

  /** Integrations of an environment after an identifier, in their order. */
  List<Integration> list(TenantId organization, EnvironmentId environment, String after, int most) {
    return jdbc.sql(
            """
            SELECT * FROM integration
            WHERE organization_id = :organization AND environment_id = :environment AND id > :after
            ORDER BY id LIMIT :most
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("after", after)
        .param("most", most)
        .query((row, number) -> integration(row))
        .list();
  }

  private static Integration integration(ResultSet row) throws SQLException {
    return new Integration(
        row.getString("id"),
        new EnvironmentId(row.getString("environment_id")),
        JSON.readValue(row.getString("definition"), IntegrationDefinition.class),
        row.getBytes("secret"),
        row.getBytes("old_secret"),
        timeOrNull(row, "old_secret_until"),
        row.getBytes("routing_key"),
        row.getString("disabled_reason"),
        timeOrNull(row, "failing_since"),
        row.getInt("failure_count"),
        timeOrNull(row, "paused_until"),
        row.getLong("version"),
        time(row, "created_at"),
        time(row, "updated_at"));
  }
}
