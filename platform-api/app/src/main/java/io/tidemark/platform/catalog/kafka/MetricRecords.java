package io.tidemark.platform.catalog.kafka;

import io.tidemark.contracts.control.v1.MetricControl;
import io.tidemark.platform.catalog.MetricControlPublisher;
import io.tidemark.platform.catalog.MetricDeclaration;
import io.tidemark.platform.catalog.MetricLifecycle;
import io.tidemark.platform.outbox.ControlRecords;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Records of control.metrics.v1: one for each declared metric, a tombstone once it is withdrawn.
 */
@Component
class MetricRecords implements MetricControlPublisher {

  static final String TOPIC = "control.metrics.v1";

  private final ControlRecords records;

  MetricRecords(ControlRecords records) {
    this.records = records;
  }

  @Override
  public long declared(
      TenantId organization,
      EnvironmentId environment,
      String name,
      MetricDeclaration declaration,
      Instant now) {
    return records.put(
        organization,
        TOPIC,
        key(organization, environment, name),
        version ->
            MetricControl.newBuilder()
                .setOrganizationId(organization.value())
                .setEnvironmentId(environment.value())
                .setMetric(name)
                .setUnit(declaration.unit())
                .setType(declaration.type() == null ? "" : declaration.type().wireName())
                .addAllHighCardinalityLabels(declaration.highCardinalityLabels())
                .setLifecycle(lifecycle(declaration.lifecycle()))
                .setVersion(version)
                .setUpdatedAtUnixMs(now.toEpochMilli())
                .build()
                .toByteArray());
  }

  @Override
  public void withdrawn(TenantId organization, EnvironmentId environment, String name) {
    records.remove(organization, TOPIC, key(organization, environment, name));
  }

  private static String key(TenantId organization, EnvironmentId environment, String name) {
    return organization + "/" + environment + "/" + name;
  }

  private static io.tidemark.contracts.control.v1.MetricLifecycle lifecycle(
      @Nullable MetricLifecycle lifecycle) {
    return switch (lifecycle) {
      case ACTIVE -> io.tidemark.contracts.control.v1.MetricLifecycle.METRIC_LIFECYCLE_ACTIVE;
      case DEPRECATED ->
          io.tidemark.contracts.control.v1.MetricLifecycle.METRIC_LIFECYCLE_DEPRECATED;
      case RETIRED -> io.tidemark.contracts.control.v1.MetricLifecycle.METRIC_LIFECYCLE_RETIRED;
    };
  }
}
