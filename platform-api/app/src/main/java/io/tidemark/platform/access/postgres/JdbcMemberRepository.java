package io.tidemark.platform.access.postgres;

import io.tidemark.platform.access.Member;
import io.tidemark.platform.access.application.MemberRepository;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the table membership, with the names of the people. */
@Repository
class JdbcMemberRepository implements MemberRepository {

  private static final String SELECT =
      """
      SELECT m.person_id, p.mail, p.display_name, m.grants, m.disabled_at, m.version, m.created_at,
        m.updated_at
      FROM membership AS m JOIN identity.person AS p ON p.id = m.person_id
      WHERE m.organization_id = :organization
      """;

  private final JdbcClient jdbc;

  JdbcMemberRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public List<Member> list(TenantId organization, String after, int most) {
    return jdbc.sql(SELECT + " AND m.person_id > :after ORDER BY m.person_id LIMIT :most")
        .param("organization", organization.value())
        .param("after", after)
        .param("most", most)
        .query((row, number) -> member(row))
        .list();
  }

  @Override
  public Optional<Member> find(TenantId organization, String person) {
    return jdbc.sql(SELECT + " AND m.person_id = :person")
        .param("organization", organization.value())
        .param("person", person.replace('\0', '?'))
        .query((row, number) -> member(row))
        .optional();
  }

  @Override
  public boolean add(TenantId organization, String person, List<String> grants, Instant now) {
    return jdbc.sql(
                """
                INSERT INTO membership (organization_id, person_id, grants, created_at, updated_at)
                VALUES (:organization, :person, :grants, :now, :now)
                ON CONFLICT DO NOTHING
                """)
            .param("organization", organization.value())
            .param("person", person)
            .param("grants", grants.toArray(String[]::new))
            .param("now", now.atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  @Override
  public void update(TenantId organization, Member changed) {
    jdbc.sql(
            """
            UPDATE membership SET grants = :grants, disabled_at = :disabled, version = :version,
              updated_at = :updated
            WHERE organization_id = :organization AND person_id = :person
            """)
        .param("organization", organization.value())
        .param("person", changed.personId())
        .param("grants", changed.grants().toArray(String[]::new))
        .param(
            "disabled",
            changed.isDisabled()
                ? Objects.requireNonNull(changed.disabledAt()).atOffset(ZoneOffset.UTC)
                : null,
            Types.TIMESTAMP_WITH_TIMEZONE)
        .param("version", changed.version())
        .param("updated", changed.updatedAt().atOffset(ZoneOffset.UTC))
        .update();
  }

  @Override
  public void remove(TenantId organization, String person) {
    jdbc.sql("DELETE FROM membership WHERE organization_id = :organization AND person_id = :person")
        .param("organization", organization.value())
        .param("person", person)
        .update();
  }

  @Override
  public void lockAll(TenantId organization) {
    jdbc.sql("SELECT id FROM organization WHERE id = :organization FOR NO KEY UPDATE")
        .param("organization", organization.value())
        .query(String.class)
        .optional();
  }

  @Override
  public int having(TenantId organization, String grant) {
    return jdbc.sql(
            """
            SELECT count(*) FROM membership
            WHERE organization_id = :organization AND :grant = ANY (grants) AND disabled_at IS NULL
            """)
        .param("organization", organization.value())
        .param("grant", grant)
        .query(Integer.class)
        .single();
  }

  private static Member member(ResultSet row) throws SQLException {
    OffsetDateTime disabled = row.getObject("disabled_at", OffsetDateTime.class);
    return new Member(
        row.getString("person_id"),
        row.getString("mail"),
        row.getString("display_name"),
        TextArray.of(row.getArray("grants")),
        disabled == null ? null : disabled.toInstant(),
        row.getLong("version"),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        row.getObject("updated_at", OffsetDateTime.class).toInstant());
  }
}
