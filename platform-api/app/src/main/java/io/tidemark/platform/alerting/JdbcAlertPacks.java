package io.tidemark.platform.alerting;

import static io.tidemark.platform.alerting.StoredTime.time;

import io.tidemark.platform.alerting.AlertPack.Enabled;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the table alert_pack, and what rows of alert_rule say of packs. */
@Repository
class JdbcAlertPacks {

  /** A rule that came of a pack, and the fingerprint of what the pack wrote. */
  record PackedRule(AlertRule rule, String key, String fingerprint) {}

  private final JdbcClient jdbc;

  JdbcAlertPacks(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  Optional<Enabled> find(TenantId organization, EnvironmentId environment, @Nullable String name) {
    return jdbc.sql(
            """
            SELECT * FROM alert_pack
            WHERE organization_id = :organization AND environment_id = :environment AND name = :name
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("name", name)
        .query(
            (row, number) ->
                new Enabled(
                    row.getLong("version"), time(row, "enabled_at"), row.getString("enabled_by")))
        .optional();
  }

  /**
   * Holds the pack of the environment until the transaction ends, so that of two who enable it one
   * waits.
   */
  void hold(TenantId organization, EnvironmentId environment, String name) {
    var unused =
        jdbc.sql("SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtextextended(:key, 54))) AS held")
            .param("key", organization + "/" + environment + "/" + name)
            .query(Integer.class)
            .single();
  }

  void put(
      TenantId organization,
      EnvironmentId environment,
      String name,
      long version,
      Instant at,
      String by) {
    jdbc.sql(
            """
            INSERT INTO alert_pack (organization_id, environment_id, name, version, enabled_at,
              enabled_by)
            VALUES (:organization, :environment, :name, :version, :at, :by)
            ON CONFLICT (organization_id, environment_id, name) DO UPDATE SET
              version = excluded.version, enabled_at = excluded.enabled_at,
              enabled_by = excluded.enabled_by
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("name", name)
        .param("version", version)
        .param("at", at.atOffset(ZoneOffset.UTC))
        .param("by", by)
        .update();
  }

  void delete(TenantId organization, EnvironmentId environment, String name) {
    jdbc.sql(
            """
            DELETE FROM alert_pack
            WHERE organization_id = :organization AND environment_id = :environment AND name = :name
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("name", name)
        .update();
  }

  void eraseEnvironment(TenantId organization, EnvironmentId environment) {
    jdbc.sql(
            """
            DELETE FROM alert_pack
            WHERE organization_id = :organization AND environment_id = :environment
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .update();
  }

  /** Rules of the environment that came of the pack, held until the transaction ends. */
  List<PackedRule> rules(TenantId organization, EnvironmentId environment, @Nullable String name) {
    return jdbc.sql(
            """
            SELECT * FROM alert_rule
            WHERE organization_id = :organization AND environment_id = :environment AND pack = :name
            ORDER BY id FOR NO KEY UPDATE
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("name", name)
        .query(
            (row, number) ->
                new PackedRule(
                    AlertRuleRow.read(row),
                    row.getString("pack_key"),
                    row.getString("pack_fingerprint")))
        .list();
  }

  /** Says of which pack a rule came; null of none. */
  void mark(
      TenantId organization,
      String rule,
      @Nullable String pack,
      @Nullable String key,
      @Nullable String fingerprint) {
    jdbc.sql(
            """
            UPDATE alert_rule SET pack = :pack, pack_key = :key, pack_fingerprint = :fingerprint
            WHERE organization_id = :organization AND id = :rule
            """)
        .param("organization", organization.value())
        .param("rule", rule)
        .param("pack", pack, java.sql.Types.VARCHAR)
        .param("key", key, java.sql.Types.VARCHAR)
        .param("fingerprint", fingerprint, java.sql.Types.VARCHAR)
        .update();
  }
}
