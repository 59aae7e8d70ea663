package io.tidemark.platform.receipts;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.MinuteCounts;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Reads the table batch_copy by time of receipt. */
@Repository
class JdbcBatchPoints {

  private final JdbcClient jdbc;

  JdbcBatchPoints(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** A copy; {@code isRefused} when its tenant did not exist for the pipeline. */
  record CopyRow(
      String environment, String batchId, Instant receivedAt, long points, boolean isRefused) {}

  private static final String COLUMNS =
      """
      SELECT c.environment_id, encode(c.batch_id, 'hex'), c.received_at, c.points,
        EXISTS (
          SELECT FROM batch_set_aside AS s
          WHERE s.organization_id = c.organization_id AND s.batch_id = c.batch_id
            AND s.is_of_points AND s.source_partition = c.source_partition
            AND s.source_offset = c.source_offset AND s.reason = 'UNKNOWN_TENANT')
      FROM batch_copy AS c
      """;

  /** Points of batches that came once, by hour and environment. */
  List<ReceivedPoints> single(TenantId organization, Instant from, Instant to) {
    return jdbc.sql(
            """
            SELECT date_trunc('hour', c.received_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC',
              c.environment_id, sum(c.points)
            FROM batch_copy AS c
            WHERE c.organization_id = :organization
              AND c.received_at >= :from AND c.received_at < :to
              AND NOT EXISTS (
                SELECT FROM batch_copy AS o
                WHERE o.organization_id = c.organization_id AND o.batch_id = c.batch_id
                  AND (o.source_partition, o.source_offset)
                    <> (c.source_partition, c.source_offset))
              AND NOT EXISTS (
                SELECT FROM batch_set_aside AS s
                WHERE s.organization_id = c.organization_id AND s.batch_id = c.batch_id
                  AND s.is_of_points AND s.source_partition = c.source_partition
                  AND s.source_offset = c.source_offset AND s.reason = 'UNKNOWN_TENANT')
            GROUP BY 1, 2
            """)
        .param("organization", organization.value())
        .param("from", from.atOffset(ZoneOffset.UTC))
        .param("to", to.atOffset(ZoneOffset.UTC))
        .query(
            (row, number) ->
                new ReceivedPoints(
                    row.getObject(1, OffsetDateTime.class).toInstant(),
                    new EnvironmentId(row.getString(2)),
                    row.getLong(3)))
        .list();
  }

  /** Points of all copies by start of minute. */
  SortedMap<Instant, Long> byMinute(
      TenantId organization, EnvironmentId environment, Instant from, Instant to) {
    return jdbc.sql(
            """
            SELECT date_trunc('minute', received_at), sum(points)::bigint FROM batch_copy
            WHERE organization_id = :organization AND environment_id = :environment
              AND received_at >= :from AND received_at < :to
            GROUP BY 1
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("from", from.atOffset(ZoneOffset.UTC))
        .param("to", to.atOffset(ZoneOffset.UTC))
        .query(new MinuteCounts());
  }

  /** All copies of batches that came more than once, and at least once in that time. */
  List<CopyRow> repeated(TenantId organization, Instant from, Instant to) {
    return jdbc.sql(
            COLUMNS
                + """
                WHERE c.organization_id = :organization AND c.batch_id IN (
                  SELECT t.batch_id FROM batch_copy AS t
                  WHERE t.organization_id = :organization
                    AND t.received_at >= :from AND t.received_at < :to
                    AND EXISTS (
                      SELECT FROM batch_copy AS o
                      WHERE o.organization_id = t.organization_id AND o.batch_id = t.batch_id
                        AND (o.source_partition, o.source_offset)
                          <> (t.source_partition, t.source_offset)))
                ORDER BY c.batch_id, c.source_partition, c.source_offset
                """)
        .param("organization", organization.value())
        .param("from", from.atOffset(ZoneOffset.UTC))
        .param("to", to.atOffset(ZoneOffset.UTC))
        .query((row, number) -> copy(row))
        .list();
  }

  /**
   * All copies of a page of batches, in the order in which these first came in that time.
   *
   * @param environment null for all
   */
  List<CopyRow> batches(
      TenantId organization,
      @Nullable EnvironmentId environment,
      Instant from,
      Instant to,
      int after,
      int most) {
    return jdbc.sql(
            COLUMNS
                + """
                JOIN (
                  SELECT batch_id, min(received_at) AS first FROM batch_copy
                  WHERE organization_id = :organization
                    AND (:environment::text IS NULL OR environment_id = :environment)
                    AND received_at >= :from AND received_at < :to
                  GROUP BY batch_id ORDER BY first, batch_id OFFSET :after LIMIT :most
                ) AS page ON page.batch_id = c.batch_id
                WHERE c.organization_id = :organization
                ORDER BY page.first, c.batch_id, c.source_partition, c.source_offset
                """)
        .param("organization", organization.value())
        .param("environment", environment == null ? null : environment.value())
        .param("from", from.atOffset(ZoneOffset.UTC))
        .param("to", to.atOffset(ZoneOffset.UTC))
        .param("after", after)
        .param("most", most)
        .query((row, number) -> copy(row))
        .list();
  }

  private static CopyRow copy(ResultSet row) throws SQLException {
    return new CopyRow(
        row.getString(1),
        row.getString(2),
        row.getObject(3, OffsetDateTime.class).toInstant(),
        row.getLong(4),
        row.getBoolean(5));
  }
}
