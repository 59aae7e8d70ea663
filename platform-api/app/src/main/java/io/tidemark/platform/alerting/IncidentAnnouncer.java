package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.Optional;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/**
 * Writes down what happened to an incident and tells listeners of it, unless a silence or an
 * inhibition suppresses that. Whoever was told that an incident is open is told of its end too,
 * suppressed or not: no receiver is left with an incident that is over. Works in the running
 * transaction.
 */
@Component
class IncidentAnnouncer {

  private final JdbcIncidents rows;
  private final Suppressions suppressions;
  private final ApplicationEventPublisher listeners;

  IncidentAnnouncer(
      JdbcIncidents rows, Suppressions suppressions, ApplicationEventPublisher listeners) {
    this.rows = rows;
    this.suppressions = suppressions;
    this.listeners = listeners;
  }

  /**
   * Adds the event to the timeline and tells of it.
   *
   * @param incident as it is after the event, held by this transaction
   * @param eventId the same however often it is announced
   */
  void announce(TenantId organization, Incident incident, IncidentEvent event, String eventId) {
    Optional<String> suppressor = suppressions.of(organization, incident, event.at());
    boolean isHeard = incident.isOpen() ? suppressor.isEmpty() : incident.isTold();
    String suppressedBy = isHeard ? null : suppressor.orElse(incident.suppressedBy());
    rows.addEvent(organization, incident.id(), event.suppressedBy(suppressedBy));
    rows.suppress(organization, incident.id(), incident.isTold() || isHeard, suppressedBy);
    if (isHeard) {
      // Who was not told before hears of an incident that begins, whatever happened to it now.
      String kind = incident.isTold() ? event.kind() : "fired";
      tell(organization, incident, kind, eventId, event.at());
    }
  }

  /** Tells of an open incident if nothing suppresses it any more. */
  void reconsider(TenantId organization, String id, Instant now) {
    Optional<Incident> held =
        rows.lock(organization, id).filter(Incident::isOpen).filter(Incident::isSuppressed);
    if (held.isEmpty()) {
      return;
    }
    Incident incident = held.get();
    Optional<String> suppressor = suppressions.of(organization, incident, now);
    if (suppressor.isPresent()) {
      if (!suppressor.get().equals(incident.suppressedBy())) {
        rows.suppress(organization, id, incident.isTold(), suppressor.get());
      }
      return;
    }
    rows.touch(organization, id);
    rows.suppress(organization, id, true, null);
    rows.addEvent(
        organization,
        id,
        new IncidentEvent(
            now, "unsuppressed", IncidentEvent.Detail.by(null, incident.suppressedBy())));
    Incident after = rows.find(organization, id).orElseThrow();
    tell(
        organization,
        after,
        incident.isTold() ? "changed" : "fired",
        id + "-unsuppressed-" + after.version(),
        now);
  }

  private void tell(
      TenantId organization, Incident incident, String kind, String eventId, Instant at) {
    listeners.publishEvent(
        new IncidentChanged(organization, incident, "incident." + kind, eventId, at));
  }
}
