package io.tidemark.platform.alerting;

import static io.tidemark.platform.alerting.ColumnArrays.json;
import static io.tidemark.platform.alerting.ColumnArrays.texts;
import static io.tidemark.platform.alerting.StoredJson.JSON;
import static io.tidemark.platform.alerting.StoredTime.time;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.MinuteCounts;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the table alert_transition as a stream. */
@Repository
class JdbcTransitions {

  /**
   * Where a reader is: everything up to a number of a transaction was read.
   *
   * @param transaction as PostgreSQL counts them
   */
  record TransitionPosition(long transaction, long number) {
    static final TransitionPosition BEGINNING = new TransitionPosition(0, 0);

    @Override
    public String toString() {
      return transaction + "." + number;
    }
  }

  /** What is kept of a transition beside the columns. Names are those of stored rows. */
  record Stored(
      long ruleVersion,
      String groupId,
      Map<String, String> group,
      long sequence,
      String kind,
      String state,
      String incidentId,
      Instant minute,
      Instant since,
      @Nullable Instant until,
      @Nullable Double value,
      double threshold,
      Instant completeUntil,
      boolean early,
      boolean revised,
      boolean released,
      String reason) {

    static Stored of(AlertTransition transition) {
      return new Stored(
          transition.ruleVersion(),
          transition.groupId(),
          transition.group(),
          transition.sequence(),
          transition.kind().name(),
          transition.state(),
          transition.incidentId(),
          transition.minute(),
          transition.since(),
          transition.until(),
          // JSON has no infinity.
          transition.value() == null || !Double.isFinite(transition.value())
              ? null
              : transition.value(),
          transition.threshold(),
          transition.completeUntil(),
          transition.early(),
          transition.revised(),
          transition.released(),
          transition.reason());
    }
  }

  private final JdbcClient jdbc;

  JdbcTransitions(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Those that are new, in their order; they are not new any more afterwards. */
  List<AlertTransition> takeIn(
      TenantId organization, List<AlertTransition> transitions, Instant now) {
    if (transitions.isEmpty()) {
      return List.of();
    }
    Set<String> taken =
        jdbc.sql(
                """
                INSERT INTO alert_transition (organization_id, id, recorded_at, environment_id, rule_id,
                  record)
                SELECT :organization, t.id, :now, t.environment, t.rule, t.record::jsonb
                FROM unnest(:ids::text[], :environments::text[], :rules::text[], :records::text[])
                  WITH ORDINALITY AS t (id, environment, rule, record, place)
                ORDER BY t.place
                ON CONFLICT DO NOTHING
                RETURNING id
                """)
            .param("organization", organization.value())
            .param("now", now.atOffset(ZoneOffset.UTC))
            .param("ids", texts(transitions, AlertTransition::id))
            .param("environments", texts(transitions, one -> one.environment().value()))
            .param("rules", texts(transitions, AlertTransition::ruleId))
            .param("records", json(transitions, Stored::of))
            .query(String.class)
            .set();
    return transitions.stream().filter(transition -> taken.contains(transition.id())).toList();
  }

  /**
   * What comes after a place, oldest first.
   *
   * @param settled as asked for before
   * @param rule null for any
   * @param since null for any
   */
  List<RecordedTransition> after(
      TenantId organization,
      EnvironmentId environment,
      TransitionPosition place,
      TransitionPosition settled,
      @Nullable String rule,
      @Nullable Instant since,
      int most) {
    return jdbc.sql(
            """
            SELECT id, recorded_at, environment_id, rule_id, record, number,
              transaction_id::text::bigint AS transaction
            FROM alert_transition
            WHERE organization_id = :organization AND environment_id = :environment
              AND record IS NOT NULL
              AND (transaction_id, number) > (:transaction::text::xid8, :number)
              AND transaction_id <= :settled::text::xid8
              AND (:rule::text IS NULL OR rule_id = :rule)
              AND (:since::timestamptz IS NULL OR recorded_at >= :since)
            ORDER BY transaction_id, alert_transition.number LIMIT :most
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("transaction", Long.toString(place.transaction()))
        .param("number", place.number())
        .param("settled", Long.toString(settled.transaction()))
        .param("rule", rule, Types.VARCHAR)
        .param(
            "since",
            since == null ? null : since.atOffset(ZoneOffset.UTC),
            Types.TIMESTAMP_WITH_TIMEZONE)
        .param("most", most)
        .query((row, number) -> recorded(organization, row))
        .list();
  }

  /** How many were recorded, by start of minute. */
  SortedMap<Instant, Long> byMinute(
      TenantId organization, EnvironmentId environment, Instant from, Instant to) {
    return jdbc.sql(
            """
            SELECT date_trunc('minute', recorded_at) AS minute, count(*) AS transitions
            FROM alert_transition
            WHERE organization_id = :organization AND environment_id = :environment
              AND recorded_at >= :from AND recorded_at < :to
            GROUP BY 1
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("from", from.atOffset(ZoneOffset.UTC))
        .param("to", to.atOffset(ZoneOffset.UTC))
        .query(new MinuteCounts());
  }

  void eraseEnvironment(TenantId organization, EnvironmentId environment) {
    jdbc.sql(
            """
            DELETE FROM alert_transition
            WHERE organization_id = :organization AND environment_id = :environment
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .update();
  }

  private static RecordedTransition recorded(TenantId organization, ResultSet row)
      throws SQLException {
    Stored stored = JSON.readValue(row.getString("record"), Stored.class);
    AlertTransition transition =
        new AlertTransition(
            row.getString("id"),
            organization,
            new EnvironmentId(row.getString("environment_id")),
            row.getString("rule_id"),
            stored.ruleVersion(),
            stored.groupId(),
            stored.group(),
            stored.sequence(),
            AlertTransition.Kind.valueOf(stored.kind()),
            stored.state(),
            stored.incidentId(),
            stored.minute(),
            stored.since(),
            stored.until(),
            stored.value(),
            stored.threshold(),
            stored.completeUntil(),
            stored.early(),
            stored.revised(),
            stored.released(),
            stored.reason());
    return new RecordedTransition(
        transition,
        time(row, "recorded_at"),
        new TransitionPosition(row.getLong("transaction"), row.getLong("number")).toString());
  }
}
