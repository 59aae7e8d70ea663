package io.tidemark.platform.tenancy;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;

/**
 * The deletion of an environment has become final. Heard in the transaction that makes it so:
 * whoever keeps something of the environment removes it there, and what it removed is audited.
 */
public record EnvironmentDeleted(TenantId organization, EnvironmentId environment, Actor actor) {}
