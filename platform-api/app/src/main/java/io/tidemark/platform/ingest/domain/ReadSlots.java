package io.tidemark.platform.ingest.domain;

import io.tidemark.platform.shared.TenantId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Limits how many bodies of one tenant are read at a time: each takes a thread of the port until it
 * is there, and others need threads too.
 */
public final class ReadSlots {

  private final int ofTenant;
  private final Map<TenantId, Integer> taken = new ConcurrentHashMap<>();

  /** Slots of each tenant. */
  public ReadSlots(int ofTenant) {
    this.ofTenant = ofTenant;
  }

  /** Takes a slot; false when the tenant has all of its own. */
  public boolean take(TenantId tenant) {
    if (taken.merge(tenant, 1, Integer::sum) > ofTenant) {
      giveBack(tenant);
      return false;
    }
    return true;
  }

  /** Gives one slot back. */
  public void giveBack(TenantId tenant) {
    taken.computeIfPresent(tenant, (key, all) -> all == 1 ? null : all - 1);
  }
}
