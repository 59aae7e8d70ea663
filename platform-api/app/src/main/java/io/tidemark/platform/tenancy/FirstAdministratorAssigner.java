package io.tidemark.platform.tenancy;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.shared.TenantId;
import org.jspecify.annotations.Nullable;

/** Makes a person the first administrator of a new organisation. */
@FunctionalInterface
public interface FirstAdministratorAssigner {

  /** Joins the running transaction of the organisation. */
  void by(TenantId organization, @Nullable String person, Actor actor);
}
