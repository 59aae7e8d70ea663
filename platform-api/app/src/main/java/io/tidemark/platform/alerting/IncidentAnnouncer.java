package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/**
 * Writes down what happened to an incident and tells listeners of it, unless a silence or an
 * inhibition suppresses that. {@link Announcement} decides; works in the running transaction.
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
    String suppressor = suppressions.of(organization, incident, event.at()).orElse(null);
    Announcement announcement = Announcement.of(organization, incident, event, eventId, suppressor);
    Incident after = announcement.incident();
    rows.suppress(organization, after.id(), after.isTold(), after.suppressedBy());
    announce(organization, List.of(announcement));
  }

  /** Adds events to timelines and tells of those that are heard; the incidents are written. */
  void announce(TenantId organization, List<Announcement> announcements) {
    rows.addEvents(organization, announcements);
    List<IncidentChanged> heard =
        announcements.stream().map(Announcement::heard).filter(Objects::nonNull).toList();
    if (!heard.isEmpty()) {
      listeners.publishEvent(new IncidentsChanged(heard));
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
    listeners.publishEvent(
        new IncidentsChanged(
            List.of(
                new IncidentChanged(
                    organization,
                    after,
                    incident.isTold() ? "incident.changed" : "incident.fired",
                    id + "-unsuppressed-" + after.version(),
                    now))));
  }
}
