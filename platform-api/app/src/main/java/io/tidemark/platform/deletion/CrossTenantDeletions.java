package io.tidemark.platform.deletion;

import static java.util.stream.Collectors.toMap;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Finds what is to be removed of all organisations. Gives identifiers only; what is done is done in
 * a transaction of each organisation.
 */
@Repository
class CrossTenantDeletions {

  /** A removal and whose it is. */
  record DeletionRef(TenantId organization, String removal) {}

  /** An environment and whose it is. */
  record Owner(TenantId organization, EnvironmentId environment) {}

  private final JdbcClient jdbc;

  CrossTenantDeletions(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Removals that run and that nobody works on at the given time. */
  List<DeletionRef> toAdvance(Instant at) {
    return removals(
        jdbc.sql("SELECT * FROM removals_to_advance(:at)")
            .param("at", at.atOffset(ZoneOffset.UTC)));
  }

  /** The same in the stores of a second region, also those that it has not begun. */
  List<DeletionRef> toAdvanceIn(String region, Instant at) {
    return removals(
        jdbc.sql("SELECT * FROM removals_to_advance_in(:region, :at)")
            .param("region", region)
            .param("at", at.atOffset(ZoneOffset.UTC)));
  }

  private static List<DeletionRef> removals(JdbcClient.StatementSpec query) {
    return query
        .query(
            (row, number) ->
                new DeletionRef(
                    new TenantId(row.getString("organization_id")), row.getString("removal_id")))
        .list();
  }

  /** A second region is there: no removal that runs is certified without it. */
  void register(String region, Instant at) {
    jdbc.sql(
            """
            INSERT INTO processes.region (name, seen_at) VALUES (:region, :at)
            ON CONFLICT (name) DO UPDATE SET seen_at = greatest(region.seen_at, excluded.seen_at)
            """)
        .param("region", region)
        .param("at", at.atOffset(ZoneOffset.UTC))
        .update();
  }

  /** Second regions, and when each last said that it is there. */
  Map<String, Instant> regions() {
    return jdbc
        .sql("SELECT name, seen_at FROM processes.region")
        .query(
            (row, number) ->
                Map.entry(
                    row.getString("name"),
                    row.getObject("seen_at", OffsetDateTime.class).toInstant()))
        .list()
        .stream()
        .collect(toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Environments with a retention policy that was last put into effect before. */
  List<Owner> toExpire(Instant lastBefore) {
    return owners("SELECT * FROM environments_to_expire(:at)", lastBefore);
  }

  /** Deleted environments whose data were never removed, or only once, and that before. */
  List<Owner> toClear(Instant onceBefore) {
    return owners("SELECT * FROM environments_to_clear(:at)", onceBefore);
  }

  private List<Owner> owners(String query, Instant at) {
    return jdbc.sql(query)
        .param("at", at.atOffset(ZoneOffset.UTC))
        .query(
            (row, number) ->
                new Owner(
                    new TenantId(row.getString("organization_id")),
                    new EnvironmentId(row.getString("environment_id"))))
        .list();
  }
}
