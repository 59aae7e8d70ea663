package io.tidemark.flink.model.completeness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tenants that lag, as the readers of batches report them; an entry expires a minute after its last
 * report.
 */
public final class TenantLagTable {

  private record ReportedWatermark(long completeUntil, long at) {}

  private final Map<String, ReportedWatermark> tenants = new HashMap<>();

  /** Readers see different batches of a tenant: the later time counts. */
  public void heard(TenantLag lag, long now) {
    forget(now);
    tenants.merge(
        lag.organizationId(),
        new ReportedWatermark(lag.completeUntil(), now),
        (known, told) ->
            new ReportedWatermark(
                Math.max(known.completeUntil(), told.completeUntil()), told.at()));
  }

  public List<TenantLag> lagging(long now) {
    forget(now);
    List<TenantLag> lagging = new ArrayList<>();
    tenants.forEach(
        (organization, heard) -> lagging.add(new TenantLag(organization, heard.completeUntil())));
    return lagging;
  }

  private void forget(long now) {
    tenants.values().removeIf(heard -> now - heard.at() > LaggingTenants.REMEMBERED_MS);
  }
}
