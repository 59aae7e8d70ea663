package io.tidemark.platform.catalog;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Adds what was seen to the tables metric_sighting and resource. */
@Repository
class JdbcSightings {

  private final JdbcClient jdbc;

  JdbcSightings(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  long metrics(TenantId organization, EnvironmentId environment) {
    return count(organization, environment, "metric_sighting");
  }

  long resources(TenantId organization, EnvironmentId environment) {
    return count(organization, environment, "resource");
  }

  private long count(TenantId organization, EnvironmentId environment, String table) {
    return jdbc.sql(
            "SELECT count(*) FROM "
                + table
                + " WHERE organization_id = :organization AND environment_id = :environment")
        .param("organization", organization.value())
        .param("environment", environment.value())
        .query(Long.class)
        .single();
  }

  /**
   * Adds a metric, or what is new of it. Environments that do not exist are left out.
   *
   * @param mayInsert whether a metric that is not there may be added
   * @return whether a metric was added that was not there
   */
  boolean add(
      TenantId organization,
      EnvironmentId environment,
      String name,
      MetricSighting seen,
      boolean mayInsert) {
    int updated =
        jdbc.sql(
                """
                UPDATE metric_sighting AS s SET
                  type = CASE WHEN :last >= s.last_seen THEN :type ELSE s.type END,
                  unit = CASE WHEN :last >= s.last_seen THEN :unit ELSE s.unit END,
                  labels = ARRAY(SELECT DISTINCT l FROM unnest(s.labels || :labels::text[]) AS l
                                 ORDER BY l LIMIT :most),
                  labels_complete = s.labels_complete AND :complete
                    AND (SELECT count(DISTINCT l) <= :most
                         FROM unnest(s.labels || :labels::text[]) AS l),
                  first_seen = least(s.first_seen, :first),
                  last_seen = greatest(s.last_seen, :last)
                WHERE s.organization_id = :organization AND s.environment_id = :environment
                  AND s.name = :name
                """)
            .param("organization", organization.value())
            .param("environment", environment.value())
            .param("name", name)
            .param("type", Objects.requireNonNull(seen.type()).wireName())
            .param("unit", seen.unit())
            .param("labels", seen.labels().toArray(String[]::new))
            .param("complete", seen.labelsComplete())
            .param("most", MetricSighting.MAX_LABELS)
            .param("first", seen.firstSeen().atOffset(ZoneOffset.UTC))
            .param("last", seen.lastSeen().atOffset(ZoneOffset.UTC))
            .update();
    return updated == 0 && mayInsert && insert(organization, environment, name, seen);
  }

  /**
   * Replaces what senders say of a metric.
   *
   * @return whether the metric is there
   */
  boolean describe(
      TenantId organization, EnvironmentId environment, String name, String description) {
    return jdbc.sql(
                """
                WITH changed AS (
                  UPDATE metric_sighting SET description = :description
                  WHERE organization_id = :organization AND environment_id = :environment
                    AND name = :name AND description <> :description
                )
                SELECT count(*) FROM metric_sighting
                WHERE organization_id = :organization AND environment_id = :environment
                  AND name = :name
                """)
            .param("organization", organization.value())
            .param("environment", environment.value())
            .param("name", name)
            .param("description", description)
            .query(Long.class)
            .single()
        == 1;
  }

  private boolean insert(
      TenantId organization, EnvironmentId environment, String name, MetricSighting seen) {
    return jdbc.sql(
                """
                INSERT INTO metric_sighting (organization_id, environment_id, name, type, unit,
                  labels, labels_complete, first_seen, last_seen)
                SELECT e.organization_id, e.id, :name, :type, :unit, :labels, :complete, :first, :last
                FROM environment AS e
                WHERE e.organization_id = :organization AND e.id = :environment
                  AND e.state <> 'deleted'
                ON CONFLICT DO NOTHING
                """)
            .param("organization", organization.value())
            .param("environment", environment.value())
            .param("name", name)
            .param("type", Objects.requireNonNull(seen.type()).wireName())
            .param("unit", seen.unit())
            .param("labels", seen.labels().toArray(String[]::new))
            .param("complete", seen.labelsComplete())
            .param("first", seen.firstSeen().atOffset(ZoneOffset.UTC))
            .param("last", seen.lastSeen().atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  /** Adds a resource, or when it was seen. As above. */
  boolean add(
      TenantId organization,
      EnvironmentId environment,
      String type,
      String name,
      Instant first,
      Instant last,
      Instant now,
      boolean mayInsert) {
    int updated =
        jdbc.sql(
                """
                UPDATE resource SET
                  first_seen = least(first_seen, :first), last_seen = greatest(last_seen, :last)
                WHERE organization_id = :organization AND environment_id = :environment
                  AND type = :type AND name = :name
                """)
            .param("organization", organization.value())
            .param("environment", environment.value())
            .param("type", type)
            .param("name", name)
            .param("first", first.atOffset(ZoneOffset.UTC))
            .param("last", last.atOffset(ZoneOffset.UTC))
            .update();
    return updated == 0
        && mayInsert
        && jdbc.sql(
                    """
                    INSERT INTO resource (organization_id, environment_id, type, name, display_name,
                      confirmed, version, created_at, updated_at, first_seen, last_seen)
                    SELECT e.organization_id, e.id, :type, :name, :displayName, false, 1, :now, :now,
                      :first, :last
                    FROM environment AS e
                    WHERE e.organization_id = :organization AND e.id = :environment
                      AND e.state <> 'deleted'
                    ON CONFLICT DO NOTHING
                    """)
                .param("organization", organization.value())
                .param("environment", environment.value())
                .param("type", type)
                .param("name", name)
                .param("displayName", Resources.displayName(name))
                .param("now", now.atOffset(ZoneOffset.UTC))
                .param("first", first.atOffset(ZoneOffset.UTC))
                .param("last", last.atOffset(ZoneOffset.UTC))
                .update()
            == 1;
  }
}
