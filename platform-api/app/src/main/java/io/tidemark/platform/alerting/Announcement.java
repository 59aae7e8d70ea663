package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * Who hears of an event of an incident. Whoever was told that an incident is open is told of its
 * end too, suppressed or not: no receiver is left with an incident that is over. Pure.
 *
 * @param incident as it is afterwards
 * @param event as the timeline keeps it
 * @param heard null when nobody hears of it
 */
record Announcement(Incident incident, IncidentEvent event, @Nullable IncidentChanged heard) {

  /**
   * Decides it.
   *
   * @param incident as it is after the event
   * @param eventId the same however often it is announced
   * @param suppressor the silence or inhibition that suppresses it; null for none
   */
  static Announcement of(
      TenantId organization,
      Incident incident,
      IncidentEvent event,
      String eventId,
      @Nullable String suppressor) {
    boolean isHeard = incident.isOpen() ? suppressor == null : incident.isTold();
    String held = suppressor == null ? incident.suppressedBy() : suppressor;
    String suppressedBy = isHeard ? null : held;
    // Who was not told before hears of an incident that begins, whatever happened to it now.
    String kind = incident.isTold() ? event.kind() : "fired";
    return new Announcement(
        incident.announced(incident.isTold() || isHeard, suppressedBy),
        event.suppressedBy(suppressedBy),
        isHeard
            ? new IncidentChanged(organization, incident, "incident." + kind, eventId, event.at())
            : null);
  }
}
