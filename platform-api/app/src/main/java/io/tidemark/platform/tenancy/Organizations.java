package io.tidemark.platform.tenancy;

import io.tidemark.platform.shared.TenantId;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The organisations of this installation. */
@Service
public class Organizations {

  /** The organisation that Tidemark's own metrics belong to. */
  public static final TenantId PLATFORM = new TenantId("org-self");

  private final JdbcOrganizations rows;

  Organizations(JdbcOrganizations rows) {
    this.rows = rows;
  }

  /** Makes sure that the organisation and its environment exist; changes nothing when they do. */
  @Transactional
  public void ensureExists(TenantId organization, EnvironmentId environment) {
    rows.insertOrganizationIfAbsent(organization);
    rows.insertEnvironmentIfAbsent(organization, environment);
  }

  /** Whether the organisation has the environment. */
  public boolean has(TenantId organization, EnvironmentId environment) {
    return rows.environmentExists(organization, environment);
  }
}
