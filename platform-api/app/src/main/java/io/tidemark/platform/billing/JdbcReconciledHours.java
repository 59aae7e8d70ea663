package io.tidemark.platform.billing;

import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the tables reconciled_hour and reconciliation_difference. */
@Repository
class JdbcReconciledHours {

  private final JdbcClient jdbc;

  JdbcReconciledHours(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Takes an hour that is not done, the oldest first; nobody else has it until the claim ends.
   *
   * @param from first hour; those before the organisation's own first one are left out
   * @param until hours that begin before it
   * @param checkedBefore an hour that differs is taken again when it was checked before
   */
  Optional<Instant> claim(
      TenantId organization,
      Instant from,
      Instant until,
      Instant checkedBefore,
      Instant now,
      Instant claimedUntil) {
    jdbc.sql("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))")
        .param("name", "reconciliation/" + organization.value())
        .query((row, number) -> "")
        .list();
    Optional<Instant> hour =
        jdbc.sql(
                """
                SELECT h.hour
                FROM organization AS o
                CROSS JOIN generate_series(
                  greatest(:from::timestamptz, date_trunc('hour', o.created_at, 'UTC')),
                  :until::timestamptz - interval '1 hour', interval '1 hour') AS h (hour)
                LEFT JOIN reconciled_hour AS r
                  ON r.organization_id = o.id AND r.hour = h.hour
                WHERE o.id = :organization
                  AND (r.hour IS NULL
                    OR NOT r.agrees AND (r.checked_at IS NULL OR r.checked_at < :before))
                  AND (r.claimed_until IS NULL OR r.claimed_until < :now)
                ORDER BY 1 LIMIT 1
                """)
            .param("organization", organization.value())
            .param("from", utc(from))
            .param("until", utc(until))
            .param("before", utc(checkedBefore))
            .param("now", utc(now))
            .query((row, number) -> row.getObject(1, OffsetDateTime.class).toInstant())
            .optional();
    hour.ifPresent(
        taken ->
            jdbc.sql(
                    """
                    INSERT INTO reconciled_hour (organization_id, hour, claimed_until)
                    VALUES (:organization, :hour, :until)
                    ON CONFLICT (organization_id, hour) DO UPDATE SET claimed_until = :until
                    """)
                .param("organization", organization.value())
                .param("hour", utc(taken))
                .param("until", utc(claimedUntil))
                .update());
    return hour;
  }

  void check(TenantId organization, Instant hour, boolean agrees, boolean withStores, Instant now) {
    jdbc.sql(
            """
            UPDATE reconciled_hour
            SET claimed_until = NULL, checked_at = :now, agrees = :agrees, with_stores = :stores
            WHERE organization_id = :organization AND hour = :hour
            """)
        .param("organization", organization.value())
        .param("hour", utc(hour))
        .param("now", utc(now))
        .param("agrees", agrees)
        .param("stores", withStores)
        .update();
  }

  /** Keeps a difference; whether it is to be told now, as it was seen before and never told. */
  boolean see(TenantId organization, Difference one, Instant now) {
    return jdbc.sql(
            """
            INSERT INTO reconciliation_difference (organization_id, hour, environment_id, metric,
              stage, expected, found, first_seen_at, last_seen_at)
            VALUES (:organization, :hour, :environment, :metric, :stage, :expected, :found, :now,
              :now)
            ON CONFLICT (organization_id, hour, environment_id, metric, stage) DO UPDATE SET
              expected = excluded.expected, found = excluded.found, last_seen_at = :now,
              told_at = CASE WHEN reconciliation_difference.mended_at IS NULL
                THEN coalesce(reconciliation_difference.told_at, :now) END,
              first_seen_at = CASE WHEN reconciliation_difference.mended_at IS NULL
                THEN reconciliation_difference.first_seen_at ELSE :now END,
              mended_at = NULL
            RETURNING told_at IS NOT NULL AND told_at = :now
            """)
        .param("organization", organization.value())
        .param("hour", utc(one.hour()))
        .param("environment", one.environment())
        .param("metric", one.metric().replace('\0', '\uFFFD'))
        .param("stage", one.stage().name().toLowerCase(Locale.ROOT))
        .param("expected", one.expected())
        .param("found", one.found())
        .param("now", utc(now))
        .query(Boolean.class)
        .single();
  }

  /** Ends what was not seen now; how many of these were told. */
  int mend(TenantId organization, Instant hour, Instant now) {
    return jdbc.sql(
            """
            WITH mended AS (
              UPDATE reconciliation_difference SET mended_at = :now
              WHERE organization_id = :organization AND hour = :hour AND last_seen_at < :now
                AND mended_at IS NULL
              RETURNING told_at)
            SELECT count(told_at)::integer FROM mended
            """)
        .param("organization", organization.value())
        .param("hour", utc(hour))
        .param("now", utc(now))
        .query(Integer.class)
        .single();
  }

  /** When the hour was reconciled last, and whether stores were compared. */
  record Check(Instant hour, Instant checkedAt, boolean agrees, boolean withStores) {}

  List<Check> checks(TenantId organization, Instant from, Instant to) {
    return jdbc.sql(
            """
            SELECT hour, checked_at, agrees, with_stores FROM reconciled_hour
            WHERE organization_id = :organization AND hour >= :from AND hour < :to
              AND checked_at IS NOT NULL
            ORDER BY hour
            """)
        .param("organization", organization.value())
        .param("from", utc(from))
        .param("to", utc(to))
        .query(
            (row, number) ->
                new Check(
                    row.getObject(1, OffsetDateTime.class).toInstant(),
                    row.getObject(2, OffsetDateTime.class).toInstant(),
                    row.getBoolean(3),
                    row.getBoolean(4)))
        .list();
  }

  /** End of the last hour that agrees, as all before it do that were compared. */
  Optional<Instant> agreesUntil(TenantId organization) {
    return jdbc.sql(
            """
            SELECT max(hour) + interval '1 hour' FROM reconciled_hour
            WHERE organization_id = :organization AND agrees
              AND hour < coalesce(
                (SELECT min(d.hour) FROM reconciled_hour AS d
                 WHERE d.organization_id = :organization AND NOT d.agrees
                   AND d.checked_at IS NOT NULL),
                'infinity')
            """)
        .param("organization", organization.value())
        .query((row, number) -> Optional.ofNullable(row.getObject(1, OffsetDateTime.class)))
        .single()
        .map(OffsetDateTime::toInstant);
  }

  void forget(TenantId organization, Instant before) {
    for (String table : List.of("reconciled_hour", "reconciliation_difference")) {
      jdbc.sql("DELETE FROM " + table + " WHERE organization_id = :organization AND hour < :before")
          .param("organization", organization.value())
          .param("before", utc(before))
          .update();
    }
  }

  private static OffsetDateTime utc(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}
