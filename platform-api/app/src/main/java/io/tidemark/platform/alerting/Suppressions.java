package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Finds out for what nobody is told of an incident, in the running transaction. */
@Component
class Suppressions {

  private final JdbcSilences silences;
  private final JdbcInhibitions inhibitions;
  private final JdbcIncidents incidents;

  Suppressions(JdbcSilences silences, JdbcInhibitions inhibitions, JdbcIncidents incidents) {
    this.silences = silences;
    this.inhibitions = inhibitions;
    this.incidents = incidents;
  }

  /** The silence or inhibition; silences first, the oldest of them. */
  Optional<String> of(TenantId organization, Incident incident, Instant now) {
    return of(organization, incident.environment(), now).of(incident);
  }

  /** Silences and inhibitions of an environment, for many incidents. */
  EnvironmentSuppressors of(TenantId organization, EnvironmentId environment, Instant now) {
    return new EnvironmentSuppressors(
        silences.current(organization, environment, now),
        inhibitions.list(organization, environment, "", Inhibitions.MAX),
        () -> incidents.openOf(organization, environment),
        now);
  }
}
