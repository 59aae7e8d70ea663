package io.tidemark.flink.model.completeness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Up to where each tenant is complete, after the statements so far. Never goes back. The job and
 * the readers of its statements keep the same account.
 */
public final class TenantProgress {

  private long completeUntil = Long.MIN_VALUE;

  /** Only tenants below {@link #completeUntil}. */
  private Map<String, Long> behind = new HashMap<>();

  public void apply(CompletenessStatement statement) {
    long next = Math.max(completeUntil, statement.completeUntil());
    Map<String, Long> stillBehind = new HashMap<>();
    for (TenantLag lag : statement.lagging()) {
      long stated = Math.min(lag.completeUntil(), statement.completeUntil());
      long until = Math.max(completeUntil(lag.organizationId()), stated);
      if (until < next) {
        stillBehind.put(lag.organizationId(), until);
      }
    }
    completeUntil = next;
    behind = stillBehind;
  }

  /** Of tenants that do not lag; {@link Long#MIN_VALUE} before the first statement. */
  public long completeUntil() {
    return completeUntil;
  }

  public long completeUntil(String organizationId) {
    return behind.getOrDefault(organizationId, completeUntil);
  }

  /** Tenants that are complete up to less. */
  public List<TenantLag> behind() {
    List<TenantLag> lags = new ArrayList<>();
    behind.forEach((organization, until) -> lags.add(new TenantLag(organization, until)));
    return lags;
  }
}
