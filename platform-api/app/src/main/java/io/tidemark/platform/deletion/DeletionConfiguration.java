package io.tidemark.platform.deletion;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.RolesProperties;
import java.time.Clock;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Which region's stores this process removes rows from. */
@Configuration(proxyBeanMethods = false)
class DeletionConfiguration {

  @Bean
  RegionDeletions regionDeletions(
      RolesProperties process,
      DeletionProperties properties,
      DeletionScheduler beginning,
      CrossTenantDeletions places,
      JdbcDeletionRepository rows,
      JdbcRegionStepRepository steps,
      LakeDeletionPublisher lake,
      AuditLog audit,
      ApplicationEventPublisher events,
      Clock clock,
      MeterRegistry meters) {
    return process.region().isBlank()
        ? new FirstRegionDeletions(
            beginning, new RegionAbsence(clock, meters), places, rows, lake, audit, events, clock)
        : new SecondRegionDeletions(
            process.region(), places, rows, steps, lake, properties.settling(), clock);
  }
}
