package io.tidemark.platform.tenancy;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A part of an organisation.
 *
 * @param deleteAfter when its deletion becomes final; null unless it is being deleted
 * @param version counts up with every change but those of budgets; 1 is the first
 * @param budgetsVersion counts up with every change of budgets; 1 is the first
 */
public record Environment(
    TenantId organizationId,
    EnvironmentId id,
    String displayName,
    LifecycleState state,
    @Nullable Instant deleteAfter,
    long version,
    Instant createdAt,
    Instant updatedAt,
    Budgets budgets,
    long budgetsVersion,
    Instant budgetsUpdatedAt) {

  Environment renamed(String name, Instant now) {
    return new Environment(
        organizationId,
        id,
        name,
        state,
        deleteAfter,
        version + 1,
        createdAt,
        now,
        budgets,
        budgetsVersion,
        budgetsUpdatedAt);
  }

  Environment in(LifecycleState newState, @Nullable Instant newDeleteAfter, Instant now) {
    return new Environment(
        organizationId,
        id,
        displayName,
        newState,
        newDeleteAfter,
        version + 1,
        createdAt,
        now,
        budgets,
        budgetsVersion,
        budgetsUpdatedAt);
  }

  Environment with(Budgets newBudgets, Instant now) {
    return new Environment(
        organizationId,
        id,
        displayName,
        state,
        deleteAfter,
        version,
        createdAt,
        updatedAt,
        newBudgets,
        budgetsVersion + 1,
        now);
  }
}
