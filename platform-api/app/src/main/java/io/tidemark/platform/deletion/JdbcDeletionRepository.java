package io.tidemark.platform.deletion;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Rows of the table removal. */
@Repository
class JdbcDeletionRepository {

  /** Components of records alone. */
  static final JsonMapper JSON =
      JsonMapper.builder()
          .changeDefaultVisibility(
              visible ->
                  visible.withIsGetterVisibility(
                      com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility.NONE))
          .build();

  /** With what second regions say; one that has not begun is there only while the removal runs. */
  private static final String REMOVALS =
      """
      SELECT removal.*, (
        SELECT jsonb_agg(jsonb_build_object('region', known.name, 'seenAt', known.seen_at,
          'settledFrom', step.settled_from, 'druid', coalesce(step.druid, '[]'),
          'lake', coalesce(step.lake, '[]'), 'doneAt', step.done_at) ORDER BY known.name)
        FROM processes.region AS known
        LEFT JOIN removal_in_region AS step ON step.organization_id = removal.organization_id
          AND step.removal_id = removal.id AND step.region = known.name
        WHERE step.removal_id IS NOT NULL OR removal.finished_at IS NULL) AS regions
      FROM removal
      """;

  private final JdbcClient jdbc;

  JdbcDeletionRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void insert(TenantId organization, DataDeletion removal) {
    jdbc.sql(
            """
            INSERT INTO removal (organization_id, id, environment_id, kind, subject, rules, created_at,
              settled_from, druid, lake, control_plane)
            VALUES (:organization, :id, :environment, :kind, :subject::jsonb, :rules::jsonb, :created,
              :settled, :druid::jsonb, :lake::jsonb, :controlPlane::jsonb)
            """)
        .param("organization", organization.value())
        .param("id", removal.id())
        .param("environment", removal.environment().value())
        .param("kind", removal.kind().wireName())
        .param("subject", JSON.writeValueAsString(removal.subject()))
        .param("rules", JSON.writeValueAsString(removal.rules()))
        .param("created", removal.createdAt().atOffset(ZoneOffset.UTC))
        .param("settled", removal.settledFrom().atOffset(ZoneOffset.UTC))
        .param("druid", JSON.writeValueAsString(removal.druid()))
        .param("lake", JSON.writeValueAsString(removal.lake()))
        .param("controlPlane", JSON.writeValueAsString(removal.controlPlane()))
        .update();
  }

  Optional<DataDeletion> find(TenantId organization, String id) {
    return jdbc.sql(REMOVALS + "WHERE organization_id = :organization AND id = :id")
        .param("organization", organization.value())
        .param("id", id)
        .query((row, number) -> removal(row))
        .optional();
  }

  /** The same, held until the transaction ends. */
  Optional<DataDeletion> lock(TenantId organization, String id) {
    // A statement of its own: what regions say is read after those that hold the row have ended.
    jdbc.sql(
            """
            SELECT FROM removal WHERE organization_id = :organization AND id = :id FOR NO KEY UPDATE
            """)
        .param("organization", organization.value())
        .param("id", id)
        .query((row, number) -> true)
        .optional();
    return find(organization, id);
  }

  /** Removals of an environment after an identifier, in their order. */
  List<DataDeletion> list(
      TenantId organization, EnvironmentId environment, String after, int most) {
    return jdbc.sql(
            REMOVALS
                + """
            WHERE organization_id = :organization AND environment_id = :environment AND id > :after
            ORDER BY id LIMIT :most
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("after", after)
        .param("most", most)
        .query((row, number) -> removal(row))
        .list();
  }

  /** How many of that kind run. */
  long running(TenantId organization, EnvironmentId environment, DataDeletion.Kind kind) {
    return jdbc.sql(
            """
            SELECT count(*) FROM removal
            WHERE organization_id = :organization AND environment_id = :environment
              AND kind = :kind AND finished_at IS NULL
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("kind", kind.wireName())
        .query(Long.class)
        .single();
  }

  /**
   * Whether a removal of that kind may begin: none runs, and none began after a time. Other
   * instances that ask for the same environment and kind wait until this transaction ends, and then
   * see what it began.
   */
  boolean mayBegin(
      TenantId organization,
      EnvironmentId environment,
      DataDeletion.Kind kind,
      Instant lastBefore) {
    // A statement of its own: the next one sees what was committed while this one waited.
    jdbc.sql("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))")
        .param(
            "name",
            "removal/" + organization.value() + "/" + environment.value() + "/" + kind.wireName())
        .query((row, number) -> true)
        .single();
    return jdbc.sql(
            """
            SELECT NOT EXISTS (
              SELECT FROM removal
              WHERE organization_id = :organization AND environment_id = :environment
                AND kind = :kind AND (finished_at IS NULL OR created_at > :before))
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("kind", kind.wireName())
        .param("before", lastBefore.atOffset(ZoneOffset.UTC))
        .query(Boolean.class)
        .single();
  }

  /** Takes it for this instance until a time; false when another has it, or it is done. */
  boolean claim(TenantId organization, String id, Instant now, Instant until) {
    return jdbc.sql(
                """
                UPDATE removal SET claimed_until = :until
                WHERE organization_id = :organization AND id = :id AND finished_at IS NULL
                  AND (claimed_until IS NULL OR claimed_until <= :now)
                """)
            .param("organization", organization.value())
            .param("id", id)
            .param("now", now.atOffset(ZoneOffset.UTC))
            .param("until", until.atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  /** Up to when everything was accepted that it is about; empty while it was never postponed. */
  Optional<Instant> acceptedUntil(TenantId organization, String id) {
    return jdbc.sql("SELECT * FROM removal WHERE organization_id = :organization AND id = :id")
        .param("organization", organization.value())
        .param("id", id)
        .query((row, number) -> Optional.ofNullable(timeOrNull(row, "accepted_until")))
        .single();
  }

  /** It settles later, and nothing that the lake said before holds. */
  void postpone(
      TenantId organization,
      String id,
      Instant acceptedUntil,
      Instant settledFrom,
      List<LakeDeletionStep> lake) {
    jdbc.sql(
            """
            UPDATE removal SET
              accepted_until = :accepted, settled_from = :settled, lake = :steps::jsonb
            WHERE organization_id = :organization AND id = :id
            """)
        .param("accepted", acceptedUntil.atOffset(ZoneOffset.UTC))
        .param("organization", organization.value())
        .param("id", id)
        .param("settled", settledFrom.atOffset(ZoneOffset.UTC))
        .param("steps", JSON.writeValueAsString(lake))
        .update();
  }

  /**
   * What Druid said; the claim ends. False, and nothing is written, when the claim ended before and
   * another instance has it: what that one found is newer.
   *
   * @param claimedUntil as the claim was made
   */
  boolean setDruid(
      TenantId organization, String id, List<DruidDeletionStep> steps, Instant claimedUntil) {
    return jdbc.sql(
                """
                UPDATE removal SET druid = :steps::jsonb, claimed_until = NULL
                WHERE organization_id = :organization AND id = :id AND claimed_until = :until
                """)
            .param("organization", organization.value())
            .param("id", id)
            .param("steps", JSON.writeValueAsString(steps))
            .param("until", claimedUntil.atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  /** What the lake said. */
  void setLake(TenantId organization, String id, List<LakeDeletionStep> steps) {
    jdbc.sql(
            """
            UPDATE removal SET lake = :steps::jsonb
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("steps", JSON.writeValueAsString(steps))
        .update();
  }

  void setRules(TenantId organization, String id, List<DeletionRule> rules) {
    jdbc.sql(
            """
            UPDATE removal SET rules = :rules::jsonb
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("rules", JSON.writeValueAsString(rules))
        .update();
  }

  void finish(
      TenantId organization, String id, Instant at, String certificate, String certificateSha256) {
    jdbc.sql(
            """
            UPDATE removal SET finished_at = :at, certificate = :certificate,
              certificate_sha256 = :sha256
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("at", at.atOffset(ZoneOffset.UTC))
        .param("certificate", certificate)
        .param("sha256", certificateSha256)
        .update();
  }

  /** Forgets runs of retention but for the newest, and gives them. */
  List<DataDeletion> forgetExpirations(
      TenantId organization, EnvironmentId environment, int newest) {
    List<DataDeletion> old =
        jdbc.sql(
                REMOVALS
                    + """
                WHERE organization_id = :organization AND environment_id = :environment
                  AND kind = 'retention' AND finished_at IS NOT NULL AND id NOT IN (
                    SELECT id FROM removal
                    WHERE organization_id = :organization AND environment_id = :environment
                      AND kind = 'retention'
                    ORDER BY id DESC LIMIT :newest)
                """)
            .param("organization", organization.value())
            .param("environment", environment.value())
            .param("newest", newest)
            .query((row, number) -> removal(row))
            .list();
    for (DataDeletion removal : old) {
      jdbc.sql("DELETE FROM removal WHERE organization_id = :organization AND id = :id")
          .param("organization", organization.value())
          .param("id", removal.id())
          .update();
    }
    return old;
  }

  private static DataDeletion removal(ResultSet row) throws SQLException {
    String told = row.getString("regions");
    List<RegionSteps> regions =
        told == null ? List.of() : JSON.readValue(told, new TypeReference<List<RegionSteps>>() {});
    Instant settledFrom = time(row, "settled_from");
    List<DruidDeletionStep> druid =
        JSON.readValue(row.getString("druid"), new TypeReference<List<DruidDeletionStep>>() {});
    List<LakeDeletionStep> lake =
        JSON.readValue(row.getString("lake"), new TypeReference<List<LakeDeletionStep>>() {});
    return new DataDeletion(
        new TenantId(row.getString("organization_id")),
        row.getString("id"),
        new EnvironmentId(row.getString("environment_id")),
        DataDeletion.Kind.valueOf(row.getString("kind").toUpperCase(java.util.Locale.ROOT)),
        JSON.readValue(row.getString("subject"), DataDeletion.Subject.class),
        JSON.readValue(row.getString("rules"), new TypeReference<List<DeletionRule>>() {}),
        time(row, "created_at"),
        settledFrom,
        regions.stream()
            .map(RegionSteps::settledFrom)
            .filter(Objects::nonNull)
            .filter(settledFrom::isBefore)
            .max(Comparator.naturalOrder())
            .orElse(settledFrom),
        druid,
        lake,
        JSON.readValue(
            row.getString("control_plane"),
            new TypeReference<List<DataDeletion.ControlPlaneRows>>() {}),
        timeOrNull(row, "finished_at"),
        row.getString("certificate"),
        row.getString("certificate_sha256"),
        regions.stream().map(region -> region.orAsIn(druid, lake)).toList());
  }

  private static Instant time(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static @Nullable Instant timeOrNull(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
