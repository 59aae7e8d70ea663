package io.tidemark.platform.tenancy;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.shared.TenantId;

/** Makes a person the first administrator of a new organisation. */
@FunctionalInterface
public interface FirstAdministratorAssigner {

  /** Joins the running transaction of the organisation. */
  void by(TenantId organization, String person, Actor actor);
}
