package io.tidemark.flink.model.completeness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tenants that lag, as the readers of batches report them. An entry ends with the first punctual
 * batch that any reader sees, or a minute after its last report.
 */
public final class TenantLagTable {

  private record ReportedWatermark(long completeUntil, long at) {}

  private final Map<String, ReportedWatermark> tenants = new HashMap<>();
  private final Map<String, Long> punctualAt = new HashMap<>();

  /** Readers see different batches of a tenant: the later time counts. */
  public void heard(TenantLag lag, long now) {
    String organization = lag.organizationId();
    if (lag.isNone()) {
      tenants.remove(organization);
      punctualAt.put(organization, now);
      return;
    }
    Long punctual = punctualAt.get(organization);
    if (punctual != null && isRemembered(punctual, now)) {
      return;
    }
    ReportedWatermark known = tenants.get(organization);
    long until =
        known != null && isRemembered(known.at(), now)
            ? Math.max(known.completeUntil(), lag.completeUntil())
            : lag.completeUntil();
    tenants.put(organization, new ReportedWatermark(until, now));
  }

  public List<TenantLag> lagging(long now) {
    tenants.values().removeIf(heard -> !isRemembered(heard.at(), now));
    punctualAt.values().removeIf(at -> !isRemembered(at, now));
    List<TenantLag> lagging = new ArrayList<>();
    tenants.forEach(
        (organization, heard) -> lagging.add(new TenantLag(organization, heard.completeUntil())));
    return lagging;
  }

  private static boolean isRemembered(long at, long now) {
    return now - at <= LaggingTenants.REMEMBERED_MS;
  }
}
