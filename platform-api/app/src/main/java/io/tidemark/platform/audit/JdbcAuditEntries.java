package io.tidemark.platform.audit;

import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the tables audit_entry and audit_head. */
@Repository
class JdbcAuditEntries {

  /** The end of a chain: the last entry's sequence and hash, or 0 and the beginning's. */
  record Head(long sequence, String hash) {}

  private static final HexFormat HEX = HexFormat.of();

  private final JdbcClient jdbc;

  JdbcAuditEntries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** The end of the chain, kept from others until the transaction ends. */
  Head lockHead(TenantId organization) {
    jdbc.sql(
            """
            INSERT INTO audit_head (organization_id) VALUES (:organization)
            ON CONFLICT DO NOTHING
            """)
        .param("organization", organization.value())
        .update();
    return jdbc.sql(
            """
            SELECT sequence, hash FROM audit_head WHERE organization_id = :organization FOR NO KEY UPDATE
            """)
        .param("organization", organization.value())
        .query((row, number) -> new Head(row.getLong(1), HEX.formatHex(row.getBytes(2))))
        .single();
  }

  /** The end of the chain as it is now. */
  Head head(TenantId organization) {
    return jdbc.sql("SELECT sequence, hash FROM audit_head WHERE organization_id = :organization")
        .param("organization", organization.value())
        .query((row, number) -> new Head(row.getLong(1), HEX.formatHex(row.getBytes(2))))
        .optional()
        .orElse(new Head(0, AuditChain.BEGINNING));
  }

  void append(TenantId organization, AuditEntry entry) {
    jdbc.sql(
            """
            INSERT INTO audit_entry
              (organization_id, sequence, at, actor_kind, actor_id, address, action, object_type,
               object_id, outcome, reason, before, after, previous_hash, hash)
            VALUES
              (:organization, :sequence, :at, :kind, :actor, :address, :action, :objectType,
               :objectId, :outcome, :reason, :before, :after, :previous, :hash)
            """)
        .param("organization", organization.value())
        .param("sequence", entry.sequence())
        .param("at", entry.at().atOffset(ZoneOffset.UTC))
        .param("kind", entry.actor().kind())
        .param("actor", entry.actor().id())
        .param("address", entry.actor().address())
        .param("action", entry.action())
        .param("objectType", entry.objectType())
        .param("objectId", entry.objectId())
        .param("outcome", entry.outcome())
        .param("reason", entry.reason())
        .param("before", entry.before())
        .param("after", entry.after())
        .param("previous", HEX.parseHex(entry.previousHash()))
        .param("hash", HEX.parseHex(entry.hash()))
        .update();
    jdbc.sql(
            """
            UPDATE audit_head SET sequence = :sequence, hash = :hash
            WHERE organization_id = :organization
            """)
        .param("organization", organization.value())
        .param("sequence", entry.sequence())
        .param("hash", HEX.parseHex(entry.hash()))
        .update();
  }

  /** Entries before the given sequence, newest first. */
  List<AuditEntry> before(TenantId organization, long sequence, AuditFilter filter, int most) {
    return jdbc.sql(
            """
            SELECT * FROM audit_entry
            WHERE organization_id = :organization AND sequence < :sequence
              AND (:action::text IS NULL OR action = :action)
              AND (:actor::text IS NULL OR actor_id = :actor)
              AND (:object::text IS NULL OR object_id = :object)
              AND (:since::timestamptz IS NULL OR at >= :since)
              AND (:until::timestamptz IS NULL OR at < :until)
            ORDER BY sequence DESC LIMIT :most
            """)
        .param("organization", organization.value())
        .param("sequence", sequence)
        .param("action", filter.action())
        .param("actor", filter.actorId())
        .param("object", filter.objectId())
        .param("since", utc(filter.since()))
        .param("until", utc(filter.until()))
        .param("most", most)
        .query((row, number) -> entry(row))
        .list();
  }

  /** Entries after the given sequence, oldest first. */
  List<AuditEntry> after(TenantId organization, long sequence, int most) {
    return jdbc.sql(
            """
            SELECT * FROM audit_entry
            WHERE organization_id = :organization AND sequence > :sequence
            ORDER BY sequence LIMIT :most
            """)
        .param("organization", organization.value())
        .param("sequence", sequence)
        .param("most", most)
        .query((row, number) -> entry(row))
        .list();
  }

  private static @Nullable OffsetDateTime utc(@Nullable Instant time) {
    return time == null ? null : time.atOffset(ZoneOffset.UTC);
  }

  private static AuditEntry entry(ResultSet row) throws SQLException {
    return new AuditEntry(
        row.getString("organization_id"),
        row.getLong("sequence"),
        row.getObject("at", OffsetDateTime.class).toInstant(),
        new Actor(row.getString("actor_kind"), row.getString("actor_id"), row.getString("address")),
        row.getString("action"),
        row.getString("object_type"),
        row.getString("object_id"),
        row.getString("outcome").equals("done"),
        row.getString("reason"),
        row.getString("before"),
        row.getString("after"),
        HEX.formatHex(row.getBytes("previous_hash")),
        HEX.formatHex(row.getBytes("hash")));
  }
}
