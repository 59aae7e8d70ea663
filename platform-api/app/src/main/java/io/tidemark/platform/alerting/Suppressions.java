package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.List;
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
    return silences.current(organization, incident.environment(), now).stream()
        .filter(silence -> silence.definition().isActive(now))
        .filter(silence -> silence.definition().fits(incident))
        .map(Silence::id)
        .findFirst()
        .or(() -> inhibition(organization, incident));
  }

  private Optional<String> inhibition(TenantId organization, Incident incident) {
    List<Inhibition> ofTarget =
        inhibitions.list(organization, incident.environment(), "", Inhibitions.MOST).stream()
            .filter(inhibition -> inhibition.definition().isTarget(incident))
            .toList();
    if (ofTarget.isEmpty()) {
      return Optional.empty();
    }
    List<Incident> open = incidents.openOf(organization, incident.environment());
    return ofTarget.stream()
        .filter(
            inhibition ->
                open.stream()
                    .anyMatch(
                        other ->
                            !other.id().equals(incident.id())
                                && inhibition.definition().isSource(other, incident)))
        .map(Inhibition::id)
        .findFirst();
  }
}
