package io.tidemark.platform.alerting;

import static io.tidemark.platform.alerting.ColumnArrays.integers;
import static io.tidemark.platform.alerting.ColumnArrays.json;
import static io.tidemark.platform.alerting.ColumnArrays.numbers;
import static io.tidemark.platform.alerting.ColumnArrays.texts;
import static io.tidemark.platform.alerting.ColumnArrays.times;
import static io.tidemark.platform.alerting.StoredJson.JSON;
import static io.tidemark.platform.alerting.StoredJson.LABELS;
import static io.tidemark.platform.alerting.StoredTime.time;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the tables alert_rule and alert_group. */
@Repository
class JdbcAlertRules {

  private static final int MAX_GROUPS = 100;
  private static final int MAX_ACTIVE = 10_000;

  private final JdbcClient jdbc;

  JdbcAlertRules(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void insert(TenantId organization, AlertRule rule) {
    jdbc.sql(
            """
            INSERT INTO alert_rule (organization_id, environment_id, id, definition, version,
              effective_from, enabled_from, created_at, updated_at)
            VALUES (:organization, :environment, :id, :definition::jsonb, :version, :effective,
              :enabled, :created, :updated)
            """)
        .param("organization", organization.value())
        .param("environment", rule.environment().value())
        .param("id", rule.id())
        .param("definition", JSON.writeValueAsString(rule.definition()))
        .param("version", rule.version())
        .param("effective", rule.effectiveFrom().atOffset(ZoneOffset.UTC))
        .param("enabled", rule.enabledFrom().atOffset(ZoneOffset.UTC))
        .param("created", rule.createdAt().atOffset(ZoneOffset.UTC))
        .param("updated", rule.updatedAt().atOffset(ZoneOffset.UTC))
        .update();
  }

  void update(TenantId organization, AlertRule rule) {
    jdbc.sql(
            """
            UPDATE alert_rule SET definition = :definition::jsonb, version = :version,
              effective_from = :effective, enabled_from = :enabled, updated_at = :updated
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", rule.id())
        .param("definition", JSON.writeValueAsString(rule.definition()))
        .param("version", rule.version())
        .param("effective", rule.effectiveFrom().atOffset(ZoneOffset.UTC))
        .param("enabled", rule.enabledFrom().atOffset(ZoneOffset.UTC))
        .param("updated", rule.updatedAt().atOffset(ZoneOffset.UTC))
        .update();
  }

  void delete(TenantId organization, String id) {
    jdbc.sql("DELETE FROM alert_rule WHERE organization_id = :organization AND id = :id")
        .param("organization", organization.value())
        .param("id", id)
        .update();
  }

  Optional<AlertRule> find(TenantId organization, String id) {
    return jdbc.sql("SELECT * FROM alert_rule WHERE organization_id = :organization AND id = :id")
        .param("organization", organization.value())
        .param("id", id)
        .query((row, number) -> AlertRuleRow.read(row))
        .optional();
  }

  /** The same, held until the transaction ends. */
  Optional<AlertRule> lock(TenantId organization, String id) {
    return jdbc.sql(
            """
            SELECT * FROM alert_rule WHERE organization_id = :organization AND id = :id FOR NO KEY UPDATE
            """)
        .param("organization", organization.value())
        .param("id", id)
        .query((row, number) -> AlertRuleRow.read(row))
        .optional();
  }

  /** Those that there are, locked until the transaction ends. */
  List<AlertRule> lock(TenantId organization, List<String> ids) {
    return jdbc.sql(
            """
            SELECT * FROM alert_rule
            WHERE organization_id = :organization AND id = ANY (:ids::text[])
            ORDER BY id FOR NO KEY UPDATE
            """)
        .param("organization", organization.value())
        .param("ids", ids.toArray(String[]::new))
        .query((row, number) -> AlertRuleRow.read(row))
        .list();
  }

  /** Rules of an environment after an identifier, in their order. */
  List<AlertRule> list(TenantId organization, EnvironmentId environment, String after, int most) {
    return jdbc.sql(
            """
            SELECT * FROM alert_rule
            WHERE organization_id = :organization AND environment_id = :environment AND id > :after
            ORDER BY id LIMIT :most
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("after", after)
        .param("most", most)
        .query((row, number) -> AlertRuleRow.read(row))
        .list();
  }

  /** When each enabled rule of an environment came into force, by identifier. */
  Map<String, Instant> enabled(TenantId organization, EnvironmentId environment) {
    Map<String, Instant> rules = new TreeMap<>();
    jdbc.sql(
            """
            SELECT id, effective_from FROM alert_rule
            WHERE organization_id = :organization AND environment_id = :environment
              AND (definition ->> 'enabled')::boolean
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .query(
            row -> {
              rules.put(row.getString("id"), time(row, "effective_from"));
            });
    return rules;
  }

  long count(TenantId organization, EnvironmentId environment) {
    return jdbc.sql(
            """
            SELECT count(*) FROM alert_rule
            WHERE organization_id = :organization AND environment_id = :environment
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .query(Long.class)
        .single();
  }

  /** Groups of a rule, those that are not normal first. */
  List<AlertGroup> groups(TenantId organization, String rule) {
    return jdbc.sql(
            """
            SELECT * FROM alert_group
            WHERE organization_id = :organization AND rule_id = :rule
            ORDER BY state = 'normal', decided_minute DESC, group_id LIMIT :most
            """)
        .param("organization", organization.value())
        .param("rule", rule)
        .param("most", MAX_GROUPS)
        .query((row, number) -> group(row))
        .list();
  }

  /** Groups of all rules of an environment that are pending or firing. */
  List<AlertGroup> active(TenantId organization, EnvironmentId environment) {
    return jdbc.sql(
            """
            SELECT * FROM alert_group
            WHERE organization_id = :organization AND environment_id = :environment
              AND state IN ('pending', 'firing')
            ORDER BY rule_id, group_id LIMIT :most
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("most", MAX_ACTIVE)
        .query((row, number) -> group(row))
        .list();
  }

  /** How many groups of a rule have which state, and when one changed last. */
  AlertEvaluation.Groups groupsByState(TenantId organization, String rule) {
    Map<String, Long> byState = new HashMap<>();
    @Nullable Instant[] last = new Instant[1];
    jdbc.sql(
            """
            SELECT state, count(*) AS number, max(decided_minute) AS decided_minute FROM alert_group
            WHERE organization_id = :organization AND rule_id = :rule
            GROUP BY state
            """)
        .param("organization", organization.value())
        .param("rule", rule)
        .query(
            row -> {
              byState.put(row.getString("state"), row.getLong("number"));
              Instant decided = time(row, "decided_minute");
              if (last[0] == null || decided.isAfter(last[0])) {
                last[0] = decided;
              }
            });
    return new AlertEvaluation.Groups(byState, last[0]);
  }

  /** What transitions say of their groups, each group once, unless a newer one was taken in. */
  void putGroups(TenantId organization, List<AlertTransition> transitions) {
    if (transitions.isEmpty()) {
      return;
    }
    jdbc.sql(
            """
            INSERT INTO alert_group (organization_id, environment_id, rule_id, group_id, labels, state,
              since, decided_minute, value, reason, sequence)
            SELECT :organization, g.environment, g.rule, g.id, g.labels::jsonb, g.state,
              g.since::timestamptz, g.minute::timestamptz, g.value, g.reason, g.sequence
            FROM unnest(:environments::text[], :rules::text[], :groups::text[], :labels::text[],
              :states::text[], :since::text[], :minutes::text[], :values::float8[],
              :reasons::text[], :sequences::bigint[])
              AS g (environment, rule, id, labels, state, since, minute, value, reason, sequence)
            ON CONFLICT (organization_id, rule_id, group_id) DO UPDATE SET
              labels = excluded.labels, state = excluded.state, since = excluded.since,
              decided_minute = excluded.decided_minute, value = excluded.value,
              reason = excluded.reason, sequence = excluded.sequence
            WHERE alert_group.sequence < excluded.sequence
            """)
        .param("organization", organization.value())
        .param("environments", texts(transitions, one -> one.environment().value()))
        .param("rules", texts(transitions, AlertTransition::ruleId))
        .param("groups", texts(transitions, AlertTransition::groupId))
        .param("labels", json(transitions, AlertTransition::group))
        .param("states", texts(transitions, AlertTransition::state))
        .param("since", times(transitions, AlertTransition::since))
        .param("minutes", times(transitions, AlertTransition::minute))
        .param("values", numbers(transitions, AlertTransition::value))
        .param("reasons", texts(transitions, AlertTransition::reason))
        .param("sequences", integers(transitions, AlertTransition::sequence))
        .update();
  }

  void removeGroups(TenantId organization, List<GroupChanges.Group> groups) {
    if (groups.isEmpty()) {
      return;
    }
    jdbc.sql(
            """
            DELETE FROM alert_group
            WHERE organization_id = :organization
              AND (rule_id, group_id) IN (
                SELECT * FROM unnest(:rules::text[], :groups::text[]))
            """)
        .param("organization", organization.value())
        .param("rules", texts(groups, GroupChanges.Group::ruleId))
        .param("groups", texts(groups, GroupChanges.Group::groupId))
        .update();
  }

  void removeGroups(TenantId organization, String rule) {
    jdbc.sql("DELETE FROM alert_group WHERE organization_id = :organization AND rule_id = :rule")
        .param("organization", organization.value())
        .param("rule", rule)
        .update();
  }

  private static AlertGroup group(ResultSet row) throws SQLException {
    return new AlertGroup(
        row.getString("rule_id"),
        row.getString("group_id"),
        JSON.readValue(row.getString("labels"), LABELS),
        row.getString("state"),
        time(row, "since"),
        time(row, "decided_minute"),
        row.getObject("value", Double.class),
        row.getString("reason"));
  }
}
