package io.tidemark.platform.access.postgres;

import io.tidemark.platform.access.People.Belonging;
import io.tidemark.platform.access.People.Vouched;
import io.tidemark.platform.access.Person;
import io.tidemark.platform.access.application.PersonRepository;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the table identity.person, which belong to no organisation. */
@Repository
class CrossTenantPeople implements PersonRepository {

  private final JdbcClient jdbc;

  CrossTenantPeople(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public Person addOrRenew(String id, Vouched vouched, Instant now) {
    return jdbc.sql(
            """
            INSERT INTO identity.person
              (id, issuer, subject, mail, mail_verified, display_name, created_at,
               last_signed_in_at)
            VALUES (:id, :issuer, :subject, :mail, :verified, :name, :now, :now)
            ON CONFLICT (issuer, subject) DO UPDATE SET
              mail = excluded.mail, mail_verified = excluded.mail_verified,
              display_name = excluded.display_name,
              last_signed_in_at = excluded.last_signed_in_at
            RETURNING *
            """)
        .param("id", id)
        .param("issuer", vouched.issuer())
        .param("subject", vouched.subject())
        .param("mail", vouched.mail())
        .param("verified", vouched.mailVerified())
        .param("name", vouched.displayName())
        .param("now", now.atOffset(ZoneOffset.UTC))
        .query((row, number) -> person(row))
        .single();
  }

  @Override
  public Optional<Person> find(String id) {
    return jdbc.sql("SELECT * FROM identity.person WHERE id = :id")
        .param("id", id)
        .query((row, number) -> person(row))
        .optional();
  }

  @Override
  public Optional<Person> find(String issuer, @Nullable String subject) {
    return jdbc.sql("SELECT * FROM identity.person WHERE issuer = :issuer AND subject = :subject")
        .param("issuer", issuer)
        .param("subject", subject)
        .query((row, number) -> person(row))
        .optional();
  }

  @Override
  public Optional<String> timeZoneOf(String person) {
    return jdbc.sql(
            "SELECT time_zone FROM identity.person WHERE id = :id AND time_zone IS NOT NULL")
        .param("id", person)
        .query(String.class)
        .optional();
  }

  @Override
  public void changeTimeZone(String person, @Nullable String timeZone) {
    jdbc.sql("UPDATE identity.person SET time_zone = :zone WHERE id = :id")
        .param("zone", timeZone)
        .param("id", person)
        .update();
  }

  @Override
  public boolean isVouchedBy(String person, String issuer) {
    return jdbc.sql("SELECT count(*) = 1 FROM identity.person WHERE id = :id AND issuer = :issuer")
        .param("id", person)
        .param("issuer", issuer)
        .query(Boolean.class)
        .single();
  }

  @Override
  public boolean isDisabledEverywhere(String person) {
    return jdbc.sql("SELECT is_disabled_everywhere(:person)")
        .param("person", person)
        .query(Boolean.class)
        .single();
  }

  @Override
  public List<Belonging> organizationsOf(String person) {
    return jdbc.sql("SELECT organization_id, grants FROM memberships_of_person(:person)")
        .param("person", person)
        .query(
            (row, number) ->
                new Belonging(
                    new TenantId(row.getString("organization_id")),
                    TextArray.of(row.getArray("grants"))))
        .list();
  }

  private static Person person(ResultSet row) throws SQLException {
    return new Person(
        row.getString("id"),
        row.getString("mail"),
        row.getBoolean("mail_verified"),
        row.getString("display_name"));
  }
}
