package io.tidemark.flink.rollup.bench;

import io.tidemark.contracts.control.v1.Budgets;
import io.tidemark.contracts.control.v1.TenantControl;
import io.tidemark.contracts.control.v1.TenantState;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.control.TenantRecord;
import io.tidemark.flink.testing.Fleet;

/** The tenant of the {@link Fleet}, with a budget that a million new series do not exceed. */
final class LargeTenant {

  private static final long MANY = 10_000_000;

  private LargeTenant() {}

  static ControlRecord record() {
    TenantControl tenant =
        TenantControl.newBuilder()
            .setOrganizationId(Fleet.ORGANIZATION)
            .setEnvironmentId(Fleet.ENVIRONMENT)
            .setState(TenantState.TENANT_STATE_ACTIVE)
            .setVersion(1)
            .setBudgets(Budgets.newBuilder().setActiveSeries(MANY).setNewSeriesPerMinute(MANY))
            .build();
    return new ControlRecord(
        TenantRecord.key(Fleet.ORGANIZATION, Fleet.ENVIRONMENT), tenant.toByteArray());
  }
}
