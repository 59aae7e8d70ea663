package io.tidemark.platform.receipts;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The tables batch_copy and batch_set_aside. */
@Repository
class JdbcReceipts {

  /** Beyond it a receipt tells of the first ones only. */
  private static final int MAX_COPIES = 10_000;

  private final JdbcClient jdbc;
  private final ReceiptsProperties properties;

  JdbcReceipts(JdbcClient jdbc, ReceiptsProperties properties) {
    this.jdbc = jdbc;
    this.properties = properties;
  }

  record CopyRow(
      String environment,
      String idempotencyKey,
      int partition,
      long offset,
      Instant receivedAt,
      long points,
      Map<String, Long> rejected) {}

  record LetterRow(
      String environment,
      boolean isOfPoints,
      int partition,
      long offset,
      Instant receivedAt,
      String reason,
      long points) {

    boolean isAbout(CopyRow copy) {
      return isOfPoints && partition == copy.partition() && offset == copy.offset();
    }
  }

  /** Adds copies that are not there. Environments that do not exist are left out. */
  void addCopies(TenantId organization, List<BatchCopy> copies) {
    if (copies.isEmpty()) {
      return;
    }
    jdbc.sql(
            """
            INSERT INTO batch_copy (organization_id, batch_id, source_partition, source_offset,
              environment_id, idempotency_key, received_at, points, rejected)
            SELECT e.organization_id, decode(c.batch, 'hex'), c.partition, c.place, e.id,
              nullif(c.key, ''), to_timestamp(c.received / 1000.0), c.points, c.rejected
            FROM unnest(:batches::text[], :partitions::int[], :places::bigint[],
              :environments::text[], :keys::text[], :received::bigint[], :points::bigint[],
              :rejected::text[])
              AS c (batch, partition, place, environment, key, received, points, rejected)
            JOIN environment AS e ON e.organization_id = :organization AND e.id = c.environment
              AND e.state <> 'deleted'
            ON CONFLICT DO NOTHING
            """)
        .param("organization", organization.value())
        .param("batches", texts(copies, BatchCopy::batchId))
        .param("partitions", copies.stream().map(BatchCopy::partition).toArray(Integer[]::new))
        .param("places", copies.stream().map(BatchCopy::offset).toArray(Long[]::new))
        .param("environments", texts(copies, copy -> copy.environment().value()))
        .param(
            "keys",
            texts(copies, copy -> copy.idempotencyKey() == null ? "" : copy.idempotencyKey()))
        .param(
            "received",
            copies.stream().map(copy -> copy.receivedAt().toEpochMilli()).toArray(Long[]::new))
        .param("points", copies.stream().map(BatchCopy::points).toArray(Long[]::new))
        .param("rejected", texts(copies, copy -> ReasonCounts.text(copy.rejected())))
        .update();
  }

  private static String[] texts(List<BatchCopy> copies, Function<BatchCopy, String> text) {
    return copies.stream().map(text).toArray(String[]::new);
  }

  /** Adds up letters by copy and reason; one that was added before is not added again. */
  void addLetters(TenantId organization, List<DeadLetterRef> letters) {
    for (DeadLetterRef letter : letters) {
      jdbc.sql(
              """
              INSERT INTO batch_set_aside AS s (organization_id, batch_id, is_of_points,
                source_partition, source_offset, reason, letter_partition, environment_id,
                received_at, points, last_letter)
              SELECT e.organization_id, decode(:batch, 'hex'), :isOfPoints, :partition, :place,
                :reason, :letterPartition, e.id, :received, :points, :letter
              FROM environment AS e
              WHERE e.organization_id = :organization AND e.id = :environment
                AND e.state <> 'deleted'
              ON CONFLICT (organization_id, batch_id, is_of_points, source_partition, source_offset,
                reason, letter_partition)
              DO UPDATE SET points = s.points + excluded.points, last_letter = excluded.last_letter
              WHERE s.last_letter < excluded.last_letter
              """)
          .param("organization", organization.value())
          .param("environment", letter.environment().value())
          .param("batch", letter.batchId())
          .param("isOfPoints", letter.copy().topic().equals(properties.pointsTopic()))
          .param("partition", letter.copy().partition())
          .param("place", letter.copy().offset())
          .param("reason", letter.reason())
          .param("letterPartition", letter.letter().partition())
          .param("received", letter.receivedAt().atOffset(ZoneOffset.UTC))
          .param("points", letter.points())
          .param("letter", letter.letter().offset())
          .update();
    }
  }

  /** In the order of their places. */
  List<CopyRow> copies(TenantId organization, String batchId, Instant since) {
    return jdbc.sql(
            """
            SELECT environment_id, idempotency_key, source_partition, source_offset, received_at,
              points, rejected
            FROM batch_copy
            WHERE organization_id = :organization AND batch_id = decode(:batch, 'hex')
              AND received_at > :since
            ORDER BY source_partition, source_offset
            LIMIT :most
            """)
        .param("organization", organization.value())
        .param("batch", batchId)
        .param("since", since.atOffset(ZoneOffset.UTC))
        .param("most", MAX_COPIES)
        .query(
            (row, number) ->
                new CopyRow(
                    row.getString(1),
                    row.getString(2),
                    row.getInt(3),
                    row.getLong(4),
                    instant(row, 5),
                    row.getLong(6),
                    ReasonCounts.of(row.getString(7))))
        .list();
  }

  /**
   * What was set aside in an environment behind a place, newest first.
   *
   * @param reason null for all
   */
  List<DeadLetterSummary> setAside(
      TenantId organization,
      EnvironmentId environment,
      @Nullable String reason,
      Instant since,
      DeadLetterPlace after,
      int most) {
    return jdbc.sql(
            """
            SELECT encode(batch_id, 'hex'), reason, points, received_at, letter_partition,
              last_letter
            FROM batch_set_aside
            WHERE organization_id = :organization AND environment_id = :environment
              AND received_at > :since AND (:reason::text IS NULL OR reason = :reason)
              AND (received_at, letter_partition, last_letter)
                < (:received, :partition, :offset)
            ORDER BY received_at DESC, letter_partition DESC, last_letter DESC
            LIMIT :most
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("since", since.atOffset(ZoneOffset.UTC))
        .param("reason", reason, java.sql.Types.VARCHAR)
        .param("received", after.receivedAt().atOffset(ZoneOffset.UTC))
        .param("partition", after.id().partition())
        .param("offset", after.id().offset())
        .param("most", most)
        .query(
            (row, number) ->
                new DeadLetterSummary(
                    new DeadLetterId(row.getInt(5), row.getLong(6)),
                    row.getString(1),
                    row.getString(2),
                    row.getLong(3),
                    instant(row, 4)))
        .list();
  }

  List<LetterRow> letters(TenantId organization, String batchId, Instant since) {
    return jdbc.sql(
            """
            SELECT environment_id, is_of_points, source_partition, source_offset, received_at,
              reason, points
            FROM batch_set_aside
            WHERE organization_id = :organization AND batch_id = decode(:batch, 'hex')
              AND received_at > :since
            ORDER BY source_partition, source_offset, reason
            LIMIT :most
            """)
        .param("organization", organization.value())
        .param("batch", batchId)
        .param("since", since.atOffset(ZoneOffset.UTC))
        .param("most", MAX_COPIES)
        .query(
            (row, number) ->
                new LetterRow(
                    row.getString(1),
                    row.getBoolean(2),
                    row.getInt(3),
                    row.getLong(4),
                    instant(row, 5),
                    row.getString(6),
                    row.getLong(7)))
        .list();
  }

  /** Batches that came with an Idempotency-Key, the first first. */
  List<String> batchesOf(TenantId organization, String idempotencyKey, Instant since) {
    return jdbc.sql(
            """
            SELECT encode(batch_id, 'hex') FROM batch_copy
            WHERE organization_id = :organization AND idempotency_key = :key
              AND received_at > :since
            GROUP BY batch_id
            ORDER BY min(received_at), batch_id
            LIMIT 100
            """)
        .param("organization", organization.value())
        .param("key", idempotencyKey)
        .param("since", since.atOffset(ZoneOffset.UTC))
        .query(String.class)
        .list();
  }

  void removeBefore(TenantId organization, Instant before) {
    for (String table : List.of("batch_copy", "batch_set_aside")) {
      jdbc.sql(
              "DELETE FROM "
                  + table
                  + " WHERE organization_id = :organization AND received_at <= :before")
          .param("organization", organization.value())
          .param("before", before.atOffset(ZoneOffset.UTC))
          .update();
    }
  }

  ReceiptDeletionListener.Removed removeAll(TenantId organization, EnvironmentId environment) {
    long receipts =
        jdbc.sql(
                """
                SELECT count(*) FROM (
                  SELECT batch_id FROM batch_copy
                  WHERE organization_id = :organization AND environment_id = :environment
                  UNION
                  SELECT batch_id FROM batch_set_aside
                  WHERE organization_id = :organization AND environment_id = :environment
                ) AS batch
                """)
            .param("organization", organization.value())
            .param("environment", environment.value())
            .query(Long.class)
            .single();
    return new ReceiptDeletionListener.Removed(
        receipts,
        remove(organization, environment, "batch_copy"),
        remove(organization, environment, "batch_set_aside"));
  }

  private long remove(TenantId organization, EnvironmentId environment, String table) {
    return jdbc.sql(
            "DELETE FROM "
                + table
                + " WHERE organization_id = :organization AND environment_id = :environment")
        .param("organization", organization.value())
        .param("environment", environment.value())
        .update();
  }

  private static Instant instant(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}
