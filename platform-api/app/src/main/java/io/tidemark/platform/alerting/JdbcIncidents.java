package io.tidemark.platform.alerting;

import static io.tidemark.platform.alerting.ColumnArrays.flags;
import static io.tidemark.platform.alerting.ColumnArrays.integers;
import static io.tidemark.platform.alerting.ColumnArrays.json;
import static io.tidemark.platform.alerting.ColumnArrays.numbers;
import static io.tidemark.platform.alerting.ColumnArrays.texts;
import static io.tidemark.platform.alerting.ColumnArrays.times;
import static io.tidemark.platform.alerting.StoredJson.JSON;
import static io.tidemark.platform.alerting.StoredJson.LABELS;
import static io.tidemark.platform.alerting.StoredTime.time;
import static io.tidemark.platform.alerting.StoredTime.timeOrNull;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the tables incident, incident_event and alert_transition. */
@Repository
class JdbcIncidents {

  private final JdbcClient jdbc;

  JdbcIncidents(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Whether no other process prunes alerts of the organisation until this transaction ends. */
  boolean ownPruning(TenantId organization) {
    return jdbc.sql("SELECT pg_try_advisory_xact_lock(hashtextextended(:key, 53))")
        .param("key", "alerts.prune " + organization)
        .query(Boolean.class)
        .single();
  }

  /** Transitions are kept for longer than their topic keeps them. */
  long forgetTransitions(TenantId organization, Instant before, int most) {
    return jdbc.sql(
            """
            DELETE FROM alert_transition
            WHERE organization_id = :organization AND id IN (
              SELECT id FROM alert_transition
              WHERE organization_id = :organization AND recorded_at < :before
              ORDER BY recorded_at LIMIT :most)
            """)
        .param("organization", organization.value())
        .param("before", before.atOffset(ZoneOffset.UTC))
        .param("most", most)
        .update();
  }

  /** Incidents that ended before, with their timelines. */
  long forget(TenantId organization, Instant before, int most) {
    return jdbc.sql(
            """
            DELETE FROM incident
            WHERE organization_id = :organization AND state <> 'open' AND id IN (
              SELECT id FROM incident
              WHERE organization_id = :organization AND state <> 'open' AND ended_at < :before
              ORDER BY ended_at LIMIT :most)
            """)
        .param("organization", organization.value())
        .param("before", before.atOffset(ZoneOffset.UTC))
        .param("most", most)
        .update();
  }

  /**
   * Makes incidents in this order, or writes what may have changed.
   *
   * @param incidents each once; those that were there before are locked by this transaction
   */
  void put(TenantId organization, List<Incident> incidents) {
    if (incidents.isEmpty()) {
      return;
    }
    jdbc.sql(
            """
            INSERT INTO incident (organization_id, environment_id, id, rule_id, rule_name, severity,
              state, alert_state, group_labels, labels, annotations, runbook_url, started_at,
              ended_at, opened_at, value, threshold, is_told, suppressed_by, is_early, version)
            SELECT :organization, i.environment, i.id, i.rule, i.name, i.severity, i.state,
              i.alert_state, i.group_labels::jsonb, i.labels::jsonb, i.annotations::jsonb, i.runbook,
              i.started::timestamptz, i.ended::timestamptz, i.opened::timestamptz, i.value,
              i.threshold, i.told, i.suppressor, i.early, i.version
            FROM unnest(:environments::text[], :ids::text[], :rules::text[], :names::text[],
              :severities::text[], :states::text[], :alertStates::text[], :groups::text[],
              :labels::text[], :annotations::text[], :runbooks::text[], :started::text[],
              :ended::text[], :opened::text[], :values::float8[], :thresholds::float8[],
              :told::boolean[], :suppressors::text[], :early::boolean[], :versions::bigint[])
              WITH ORDINALITY
              AS i (environment, id, rule, name, severity, state, alert_state, group_labels, labels,
                annotations, runbook, started, ended, opened, value, threshold, told, suppressor,
                early, version, place)
            ORDER BY i.place
            ON CONFLICT (organization_id, id) DO UPDATE SET
              state = excluded.state, alert_state = excluded.alert_state,
              started_at = excluded.started_at, ended_at = excluded.ended_at,
              value = excluded.value, is_told = excluded.is_told,
              suppressed_by = excluded.suppressed_by, is_early = excluded.is_early,
              version = excluded.version
            """)
        .param("organization", organization.value())
        .param("environments", texts(incidents, incident -> incident.environment().value()))
        .param("ids", texts(incidents, Incident::id))
        .param("rules", texts(incidents, Incident::ruleId))
        .param("names", texts(incidents, Incident::ruleName))
        .param("severities", texts(incidents, Incident::severity))
        .param("states", texts(incidents, Incident::state))
        .param("alertStates", texts(incidents, Incident::alertState))
        .param("groups", json(incidents, Incident::group))
        .param("labels", json(incidents, Incident::labels))
        .param("annotations", json(incidents, Incident::annotations))
        .param("runbooks", texts(incidents, Incident::runbookUrl))
        .param("started", times(incidents, Incident::startedAt))
        .param("ended", times(incidents, Incident::endedAt))
        .param("opened", times(incidents, Incident::openedAt))
        .param("values", numbers(incidents, Incident::value))
        .param("thresholds", numbers(incidents, Incident::threshold))
        .param("told", flags(incidents, Incident::isTold))
        .param("suppressors", texts(incidents, Incident::suppressedBy))
        .param("early", flags(incidents, Incident::isEarly))
        .param("versions", integers(incidents, Incident::version))
        .update();
  }

  /** State, times and value; null leaves the value as it is. */
  void decide(
      TenantId organization,
      String id,
      String state,
      String alertState,
      Instant startedAt,
      @Nullable Instant endedAt,
      @Nullable Double value) {
    jdbc.sql(
            """
            UPDATE incident SET state = :state, alert_state = :alertState, started_at = :started,
              ended_at = :ended, value = coalesce(:value, value), version = version + 1
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("state", state)
        .param("alertState", alertState)
        .param("started", startedAt.atOffset(ZoneOffset.UTC))
        .param("ended", endedAt == null ? null : endedAt.atOffset(ZoneOffset.UTC))
        .param("value", value, Types.DOUBLE)
        .update();
  }

  /**
   * Whether somebody was told that it is open, and for what nobody is now; the version stays.
   *
   * @param suppressedBy null for nothing
   */
  void suppress(TenantId organization, String id, boolean isTold, @Nullable String suppressedBy) {
    jdbc.sql(
            """
            UPDATE incident SET is_told = :told, suppressed_by = :suppressor
            WHERE organization_id = :organization AND id = :id
              AND (is_told, suppressed_by) IS DISTINCT FROM (:told, :suppressor::text)
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("told", isTold)
        .param("suppressor", suppressedBy, Types.VARCHAR)
        .update();
  }

  void acknowledge(TenantId organization, String id, String by, Instant at) {
    jdbc.sql(
            """
            UPDATE incident SET acknowledged_by = :by, acknowledged_at = :at, version = version + 1
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("by", by)
        .param("at", at.atOffset(ZoneOffset.UTC))
        .update();
  }

  void assign(TenantId organization, String id, @Nullable String to) {
    jdbc.sql(
            """
            UPDATE incident SET assigned_to = :to, version = version + 1
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("to", to)
        .update();
  }

  void touch(TenantId organization, String id) {
    jdbc.sql(
            """
            UPDATE incident SET version = version + 1
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", id)
        .update();
  }

  Optional<Incident> find(TenantId organization, String id) {
    return jdbc.sql("SELECT * FROM incident WHERE organization_id = :organization AND id = :id")
        .param("organization", organization.value())
        .param("id", id)
        .query((row, number) -> incident(row))
        .optional();
  }

  /** The same, held until the transaction ends. */
  Optional<Incident> lock(TenantId organization, String id) {
    return jdbc.sql(
            """
            SELECT * FROM incident WHERE organization_id = :organization AND id = :id FOR NO KEY UPDATE
            """)
        .param("organization", organization.value())
        .param("id", id)
        .query((row, number) -> incident(row))
        .optional();
  }

  /** Those that there are, locked until the transaction ends. */
  List<Incident> lock(TenantId organization, List<String> ids) {
    if (ids.isEmpty()) {
      return List.of();
    }
    return jdbc.sql(
            """
            SELECT * FROM incident
            WHERE organization_id = :organization AND id = ANY (:ids::text[])
            ORDER BY id FOR NO KEY UPDATE
            """)
        .param("organization", organization.value())
        .param("ids", ids.toArray(String[]::new))
        .query((row, number) -> incident(row))
        .list();
  }

  /** Open incidents of a rule. */
  List<Incident> open(TenantId organization, String rule) {
    return jdbc.sql(
            """
            SELECT * FROM incident
            WHERE organization_id = :organization AND rule_id = :rule AND state = 'open'
            ORDER BY number FOR NO KEY UPDATE
            """)
        .param("organization", organization.value())
        .param("rule", rule)
        .query((row, number) -> incident(row))
        .list();
  }

  /** Open incidents of an environment. */
  List<Incident> openOf(TenantId organization, EnvironmentId environment) {
    return jdbc.sql(
            """
            SELECT * FROM incident
            WHERE organization_id = :organization AND environment_id = :environment
              AND state = 'open'
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .query((row, number) -> incident(row))
        .list();
  }

  /** Newest first, before a number; null for state and rule means any. */
  List<Incident> list(
      TenantId organization,
      EnvironmentId environment,
      @Nullable String state,
      @Nullable String rule,
      long before,
      int most) {
    return jdbc.sql(
            """
            SELECT * FROM incident
            WHERE organization_id = :organization AND environment_id = :environment
              AND number < :before
              AND (:state::text IS NULL OR state = :state)
              AND (:rule::text IS NULL OR rule_id = :rule)
            ORDER BY number DESC LIMIT :most
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("state", state, Types.VARCHAR)
        .param("rule", rule, Types.VARCHAR)
        .param("before", before)
        .param("most", most)
        .query((row, number) -> incident(row))
        .list();
  }

  void addEvent(TenantId organization, String incident, IncidentEvent event) {
    jdbc.sql(
            """
            INSERT INTO incident_event (organization_id, incident_id, recorded_at, kind, detail)
            VALUES (:organization, :incident, :at, :kind, :detail::jsonb)
            """)
        .param("organization", organization.value())
        .param("incident", incident)
        .param("at", event.at().atOffset(ZoneOffset.UTC))
        .param("kind", event.kind())
        .param("detail", JSON.writeValueAsString(event.detail()))
        .update();
  }

  /** Events of incidents, in this order. */
  void addEvents(TenantId organization, List<Announcement> announcements) {
    if (announcements.isEmpty()) {
      return;
    }
    jdbc.sql(
            """
            INSERT INTO incident_event (organization_id, incident_id, recorded_at, kind, detail)
            SELECT :organization, e.incident, e.at::timestamptz, e.kind, e.detail::jsonb
            FROM unnest(:incidents::text[], :times::text[], :kinds::text[], :details::text[])
              WITH ORDINALITY AS e (incident, at, kind, detail, place)
            ORDER BY e.place
            """)
        .param("organization", organization.value())
        .param("incidents", texts(announcements, one -> one.incident().id()))
        .param("times", times(announcements, one -> one.event().at()))
        .param("kinds", texts(announcements, one -> one.event().kind()))
        .param("details", json(announcements, one -> one.event().detail()))
        .update();
  }

  /** Oldest first. */
  List<IncidentEvent> events(TenantId organization, String incident, int most) {
    return jdbc.sql(
            """
            SELECT * FROM incident_event
            WHERE organization_id = :organization AND incident_id = :incident
            ORDER BY number LIMIT :most
            """)
        .param("organization", organization.value())
        .param("incident", incident)
        .param("most", most)
        .query(
            (row, number) ->
                new IncidentEvent(
                    time(row, "recorded_at"),
                    row.getString("kind"),
                    JSON.readValue(row.getString("detail"), IncidentEvent.Detail.class)))
        .list();
  }

  /** Rows of an environment that is deleted; how many incidents there were. */
  long eraseEnvironment(TenantId organization, EnvironmentId environment) {
    return jdbc.sql(
            """
            DELETE FROM incident
            WHERE organization_id = :organization AND environment_id = :environment
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .update();
  }

  private static Incident incident(ResultSet row) throws SQLException {
    return new Incident(
        row.getString("id"),
        new EnvironmentId(row.getString("environment_id")),
        row.getLong("number"),
        row.getString("rule_id"),
        row.getString("rule_name"),
        row.getString("severity"),
        row.getString("state"),
        row.getString("alert_state"),
        JSON.readValue(row.getString("group_labels"), LABELS),
        JSON.readValue(row.getString("labels"), LABELS),
        JSON.readValue(row.getString("annotations"), LABELS),
        row.getString("runbook_url"),
        time(row, "started_at"),
        timeOrNull(row, "ended_at"),
        time(row, "opened_at"),
        row.getObject("value", Double.class),
        row.getObject("threshold", Double.class),
        row.getString("acknowledged_by"),
        timeOrNull(row, "acknowledged_at"),
        row.getString("assigned_to"),
        row.getBoolean("is_told"),
        row.getString("suppressed_by"),
        row.getBoolean("is_early"),
        row.getLong("version"));
  }
}
