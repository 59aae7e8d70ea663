package io.tidemark.platform.tenancy;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the tables organization and environment. */
@Repository
class JdbcOrganizations {

  private final JdbcClient jdbc;

  JdbcOrganizations(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void insertOrganizationIfAbsent(TenantId organization) {
    jdbc.sql(
            """
            INSERT INTO organization (id, display_name) VALUES (:id, :id)
            ON CONFLICT (id) DO NOTHING
            """)
        .param("id", organization.value())
        .update();
  }

  void insertEnvironmentIfAbsent(TenantId organization, EnvironmentId environment) {
    jdbc.sql(
            """
            INSERT INTO environment (organization_id, id, display_name)
            VALUES (:organization, :id, :id)
            ON CONFLICT (organization_id, id) DO NOTHING
            """)
        .param("organization", organization.value())
        .param("id", environment.value())
        .update();
  }

  boolean environmentExists(TenantId organization, EnvironmentId environment) {
    return jdbc.sql(
            """
            SELECT EXISTS (
              SELECT 1 FROM environment WHERE organization_id = :organization AND id = :id)
            """)
        .param("organization", organization.value())
        .param("id", environment.value())
        .query(Boolean.class)
        .single();
  }
}
