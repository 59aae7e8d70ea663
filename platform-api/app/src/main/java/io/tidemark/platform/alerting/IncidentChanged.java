package io.tidemark.platform.alerting;

import io.tidemark.platform.shared.TenantId;
import java.time.Instant;

/**
 * Something happened to an incident.
 *
 * @param incident as it is afterwards; its number is 0 when the running transaction makes it
 * @param type incident.fired, incident.resolved, incident.corrected, incident.retracted,
 *     incident.changed or incident.acknowledged
 * @param eventId the same however often it is heard; the transition's identifier where there is one
 */
public record IncidentChanged(
    TenantId organization, Incident incident, String type, String eventId, Instant at) {}
