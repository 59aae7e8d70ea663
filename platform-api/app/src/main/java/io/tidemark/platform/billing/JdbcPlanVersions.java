package io.tidemark.platform.billing;

import io.tidemark.platform.billing.domain.PlanVersion;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the table plan_version. */
@Repository
class JdbcPlanVersions {

  private final JdbcClient jdbc;

  JdbcPlanVersions(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** In the order in which they were chosen. */
  List<PlanVersion> all(TenantId organization) {
    return jdbc.sql(
            """
            SELECT version, effective_from, plan FROM plan_version
            WHERE organization_id = :organization ORDER BY version
            """)
        .param("organization", organization.value())
        .query(
            (row, number) ->
                new PlanVersion(
                    row.getLong(1),
                    row.getObject(2, LocalDate.class),
                    BillingJson.plan(row.getString(3))))
        .list();
  }

  /** Adds a version; false when that version is there already. */
  boolean add(TenantId organization, PlanVersion version, Instant chosenAt) {
    return jdbc.sql(
                """
                INSERT INTO plan_version (organization_id, version, effective_from, plan, chosen_at)
                VALUES (:organization, :version, :from, :plan, :at) ON CONFLICT DO NOTHING
                """)
            .param("organization", organization.value())
            .param("version", version.version())
            .param("from", version.effectiveFrom())
            .param("plan", BillingJson.of(version.plan()))
            .param("at", chosenAt.atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }
}
