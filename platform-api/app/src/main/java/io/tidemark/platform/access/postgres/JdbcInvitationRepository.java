package io.tidemark.platform.access.postgres;

import io.tidemark.platform.access.Invitation;
import io.tidemark.platform.access.application.InvitationRepository;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the table invitation. */
@Repository
class JdbcInvitationRepository implements InvitationRepository {

  private final JdbcClient jdbc;

  JdbcInvitationRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public List<Invitation> list(TenantId organization, String after, int most) {
    return jdbc.sql(
            """
            SELECT * FROM invitation WHERE organization_id = :organization AND id > :after
            ORDER BY id LIMIT :most
            """)
        .param("organization", organization.value())
        .param("after", after)
        .param("most", most)
        .query((row, number) -> invitation(row))
        .list();
  }

  @Override
  public Optional<Invitation> find(TenantId organization, String id) {
    return find(organization, id, "");
  }

  @Override
  public Optional<Invitation> lock(TenantId organization, String id) {
    return find(organization, id, "FOR NO KEY UPDATE");
  }

  private Optional<Invitation> find(TenantId organization, String id, String lock) {
    return jdbc.sql(
            "SELECT * FROM invitation WHERE organization_id = :organization AND id = :id " + lock)
        .param("organization", organization.value())
        .param("id", id.replace('\0', '?'))
        .query((row, number) -> invitation(row))
        .optional();
  }

  @Override
  public void add(TenantId organization, Invitation invitation, byte[] tokenHash) {
    jdbc.sql(
            """
            INSERT INTO invitation
              (organization_id, id, mail, grants, token_hash, invited_by, created_at, expires_at)
            VALUES (:organization, :id, :mail, :grants, :hash, :by, :created, :expires)
            """)
        .param("organization", organization.value())
        .param("id", invitation.id())
        .param("mail", invitation.mail())
        .param("grants", invitation.grants().toArray(String[]::new))
        .param("hash", tokenHash)
        .param("by", invitation.invitedBy())
        .param("created", invitation.createdAt().atOffset(ZoneOffset.UTC))
        .param("expires", invitation.expiresAt().atOffset(ZoneOffset.UTC))
        .update();
  }

  @Override
  public void renew(TenantId organization, String id, byte[] tokenHash, Instant expiresAt) {
    jdbc.sql(
            """
            UPDATE invitation SET token_hash = :hash, expires_at = :expires, mailed_at = NULL
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("hash", tokenHash)
        .param("expires", expiresAt.atOffset(ZoneOffset.UTC))
        .update();
  }

  @Override
  public void revoke(TenantId organization, String id, Instant now) {
    jdbc.sql(
            """
            UPDATE invitation SET revoked_at = :now
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("now", now.atOffset(ZoneOffset.UTC))
        .update();
  }

  @Override
  public void accept(TenantId organization, String id, String person, Instant now) {
    jdbc.sql(
            """
            UPDATE invitation SET accepted_at = :now, accepted_by = :person
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("person", person)
        .param("now", now.atOffset(ZoneOffset.UTC))
        .update();
  }

  @Override
  public int open(TenantId organization, Instant now) {
    return jdbc.sql(
            """
            SELECT count(*) FROM invitation
            WHERE organization_id = :organization AND accepted_at IS NULL AND revoked_at IS NULL
              AND expires_at > :now
            """)
        .param("organization", organization.value())
        .param("now", now.atOffset(ZoneOffset.UTC))
        .query(Integer.class)
        .single();
  }

  @Override
  public boolean hasToken(TenantId organization, String id, byte[] tokenHash) {
    return jdbc.sql(
            """
            SELECT count(*) = 1 FROM invitation
            WHERE organization_id = :organization AND id = :id AND token_hash = :hash
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("hash", tokenHash)
        .query(Boolean.class)
        .single();
  }

  @Override
  public void mailed(TenantId organization, String id, byte[] tokenHash, Instant now) {
    jdbc.sql(
            """
            UPDATE invitation SET mailed_at = :now
            WHERE organization_id = :organization AND id = :id AND token_hash = :hash
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("hash", tokenHash)
        .param("now", now.atOffset(ZoneOffset.UTC))
        .update();
  }

  @Override
  public boolean isMailed(TenantId organization, String id) {
    return jdbc.sql(
            """
            SELECT mailed_at IS NOT NULL FROM invitation
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", id)
        .query(Boolean.class)
        .single();
  }

  private static Invitation invitation(ResultSet row) throws SQLException {
    return new Invitation(
        row.getString("id"),
        row.getString("mail"),
        TextArray.of(row.getArray("grants")),
        row.getString("invited_by"),
        instant(row, "created_at"),
        instant(row, "expires_at"),
        instantOrNull(row, "accepted_at"),
        row.getString("accepted_by"),
        instantOrNull(row, "revoked_at"));
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
