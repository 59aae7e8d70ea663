package io.tidemark.platform.deletion;

import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.databind.json.JsonMapper;

/** Rows of the table removal_in_region. */
@Repository
class JdbcRegionStepRepository {

  private static final JsonMapper JSON = JdbcDeletionRepository.JSON;

  private final JdbcClient jdbc;

  JdbcRegionStepRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  private JdbcClient.StatementSpec of(
      TenantId organization, String id, String region, String statement) {
    return jdbc.sql(statement)
        .param("organization", organization.value())
        .param("id", id)
        .param("region", region);
  }

  /** Begins a removal in the stores of a region; false when that was done before. */
  boolean insert(TenantId organization, DataDeletion removal, String region, Instant settledFrom) {
    return of(
                organization,
                removal.id(),
                region,
                """
                INSERT INTO removal_in_region (organization_id, removal_id, region, settled_from, druid, lake)
                VALUES (:organization, :id, :region, :settled, :druid::jsonb, :lake::jsonb)
                ON CONFLICT DO NOTHING
                """)
            .param("settled", settledFrom.atOffset(ZoneOffset.UTC))
            .param(
                "druid",
                JSON.writeValueAsString(
                    removal.druid().stream()
                        .map(step -> DruidDeletionStep.begin(step.datasource()))
                        .toList()))
            .param(
                "lake",
                JSON.writeValueAsString(
                    removal.lake().stream()
                        .map(step -> LakeDeletionStep.begin(step.table()))
                        .toList()))
            .update()
        == 1;
  }

  /** As {@link RegionDeletions#claim}. */
  boolean claim(TenantId organization, String id, String region, Instant now, Instant until) {
    return of(
                organization,
                id,
                region,
                """
                UPDATE removal_in_region SET claimed_until = :until
                WHERE organization_id = :organization AND removal_id = :id AND region = :region
                  AND done_at IS NULL AND (claimed_until IS NULL OR claimed_until <= :now)
                """)
            .param("now", now.atOffset(ZoneOffset.UTC))
            .param("until", until.atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  /** As {@link RegionDeletions#acceptedUntil}. */
  @Nullable Instant acceptedUntil(TenantId organization, String id, String region) {
    return of(
            organization,
            id,
            region,
            """
            SELECT accepted_until FROM removal_in_region
            WHERE organization_id = :organization AND removal_id = :id AND region = :region
              AND accepted_until IS NOT NULL
            """)
        .query((row, number) -> row.getObject("accepted_until", OffsetDateTime.class).toInstant())
        .optional()
        .orElse(null);
  }

  /** As {@link RegionDeletions#postpone}. */
  void postpone(TenantId organization, DataDeletion later, String region, Instant acceptedUntil) {
    of(
            organization,
            later.id(),
            region,
            """
            UPDATE removal_in_region SET
              accepted_until = :accepted, settled_from = :settled, lake = :lake::jsonb
            WHERE organization_id = :organization AND removal_id = :id AND region = :region
            """)
        .param("accepted", acceptedUntil.atOffset(ZoneOffset.UTC))
        .param("settled", later.settledFrom().atOffset(ZoneOffset.UTC))
        .param("lake", JSON.writeValueAsString(later.lake()))
        .update();
  }

  /** As {@link RegionDeletions#setDruid}. */
  boolean setDruid(
      TenantId organization,
      String id,
      String region,
      List<DruidDeletionStep> druid,
      Instant claimedUntil) {
    return of(
                organization,
                id,
                region,
                """
                UPDATE removal_in_region SET druid = :druid::jsonb, claimed_until = NULL
                WHERE organization_id = :organization AND removal_id = :id AND region = :region
                  AND claimed_until = :until
                """)
            .param("druid", JSON.writeValueAsString(druid))
            .param("until", claimedUntil.atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  void setLake(TenantId organization, String id, String region, List<LakeDeletionStep> lake) {
    of(
            organization,
            id,
            region,
            """
            UPDATE removal_in_region SET lake = :lake::jsonb
            WHERE organization_id = :organization AND removal_id = :id AND region = :region
            """)
        .param("lake", JSON.writeValueAsString(lake))
        .update();
  }

  void finish(TenantId organization, String id, String region, Instant at) {
    of(
            organization,
            id,
            region,
            """
            UPDATE removal_in_region SET done_at = :at
            WHERE organization_id = :organization AND removal_id = :id AND region = :region
              AND done_at IS NULL
            """)
        .param("at", at.atOffset(ZoneOffset.UTC))
        .update();
  }
}
