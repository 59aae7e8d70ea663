package io.tidemark.platform.billing;

import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Says that something happened to the bill of an organisation. Published in the transaction that
 * writes it down.
 *
 * @param type {@code budget.threshold_reached} or {@code invoice.closed}
 * @param eventId the same whenever it is told
 * @param integrations that are to be told
 * @param severity as of incidents
 * @param text for people, a sentence or two
 * @param data for programs; texts, numbers and booleans
 */
public record BillingNotice(
    TenantId organization,
    String type,
    String eventId,
    Instant at,
    List<String> integrations,
    String severity,
    String title,
    String text,
    Map<String, Object> data) {}
