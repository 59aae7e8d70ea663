package io.tidemark.flink.testing;

import io.tidemark.contracts.control.v1.Budgets;
import io.tidemark.contracts.control.v1.MetricControl;
import io.tidemark.contracts.control.v1.MetricLifecycle;
import io.tidemark.contracts.control.v1.Retention;
import io.tidemark.contracts.control.v1.TenantCensus;
import io.tidemark.contracts.control.v1.TenantControl;
import io.tidemark.contracts.control.v1.TenantState;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.control.TenantRecord;
import io.tidemark.flink.model.route.RouteInterval;
import java.util.List;

/** Control records as platform-api would write them, for the environment of {@link TestBatch}. */
public final class TestControl {

  private static final String ENVIRONMENT = "env-a";

  private TestControl() {}

  /**
   * @param activeSeries 0 for the plan's
   */
  public static ControlRecord tenant(
      String organization, TenantState state, long version, long activeSeries) {
    TenantControl tenant =
        TenantControl.newBuilder()
            .setOrganizationId(organization)
            .setEnvironmentId(ENVIRONMENT)
            .setState(state)
            .setVersion(version)
            .setBudgets(Budgets.newBuilder().setActiveSeries(activeSeries))
            .build();
    return new ControlRecord(TenantRecord.key(organization, ENVIRONMENT), tenant.toByteArray());
  }

  /**
   * @param before in force for batches received before {@code fromUnixMs}
   */
  public static ControlRecord kept(
      String organization, long version, Retention now, long fromUnixMs, Retention before) {
    TenantControl tenant =
        TenantControl.newBuilder()
            .setOrganizationId(organization)
            .setEnvironmentId(ENVIRONMENT)
            .setState(TenantState.TENANT_STATE_ACTIVE)
            .setVersion(version)
            .setRetention(now)
            .setRetentionFromUnixMs(fromUnixMs)
            .setRetentionBefore(before)
            .build();
    return new ControlRecord(TenantRecord.key(organization, ENVIRONMENT), tenant.toByteArray());
  }

  /**
   * @param labels to be summed away; none for a metric without declaration
   */
  public static ControlRecord metric(String organization, String metric, String... labels) {
    MetricControl control =
        MetricControl.newBuilder()
            .setOrganizationId(organization)
            .setEnvironmentId(ENVIRONMENT)
            .setMetric(metric)
            .addAllHighCardinalityLabels(List.of(labels))
            .setLifecycle(MetricLifecycle.METRIC_LIFECYCLE_ACTIVE)
            .setVersion(1)
            .build();
    return new ControlRecord(
        RouteInterval.metricKey(organization, ENVIRONMENT, metric), control.toByteArray());
  }

  public static ControlRecord census(long publishedThroughUnixMs) {
    return new ControlRecord(
        TenantRecord.CENSUS_KEY,
        TenantCensus.newBuilder()
            .setPublishedThroughUnixMs(publishedThroughUnixMs)
            .build()
            .toByteArray());
  }
}
