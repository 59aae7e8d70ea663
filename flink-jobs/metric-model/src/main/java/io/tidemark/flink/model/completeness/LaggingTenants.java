package io.tidemark.flink.model.completeness;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which tenants lag: all they sent within the last minute was late by a minute or more. One
 * punctual batch ends that, so a tenant that sends old data besides new data does not lag; nor does
 * one that is silent. Of one reader of batches.
 */
public final class LaggingTenants {

  static final long LATE_BY_MS = 60_000L;
  static final long REMEMBERED_MS = 60_000L;
  static final long REPORT_EVERY_MS = 5_000L;
  private static final long LONG_AGO = Long.MIN_VALUE / 2;

  private static final class Tenant {
    private long punctualAt = LONG_AGO;
    private long lateAt = LONG_AGO;
    private long reportedAt = LONG_AGO;
    private long latest = LONG_AGO;
    private boolean isToldPunctual;
  }

  private final long outOfOrdernessMs;
  private final Map<String, Tenant> tenants = new HashMap<>();
  private long nextSweep = Long.MIN_VALUE;

  /**
   * @param outOfOrdernessMs how far a point may lag behind the tenant's latest one
   */
  public LaggingTenants(long outOfOrdernessMs) {
    this.outOfOrdernessMs = outOfOrdernessMs;
  }

  /**
   * A batch was read.
   *
   * @param latestMs time of its latest point; 0 when it has none
   * @param watermark how far the stream was read by then
   * @return what is to be told: every few seconds as long as the tenant lags, and once when it does
   *     not or is first seen; nothing before there is a watermark to be late for
   */
  public @Nullable TenantLag read(String organizationId, long latestMs, long watermark, long now) {
    forget(now);
    if (latestMs <= 0 || watermark == Long.MIN_VALUE) {
      return null;
    }
    Tenant tenant = tenants.computeIfAbsent(organizationId, ignored -> new Tenant());
    if (latestMs > watermark - LATE_BY_MS) {
      tenant.punctualAt = now;
      boolean isTold = tenant.isToldPunctual;
      tenant.isToldPunctual = true;
      return isTold ? null : TenantLag.none(organizationId);
    }
    if (now - tenant.lateAt > REMEMBERED_MS) {
      tenant.latest = LONG_AGO;
    }
    tenant.lateAt = now;
    tenant.latest = Math.max(tenant.latest, latestMs);
    if (now - tenant.punctualAt <= REMEMBERED_MS || now - tenant.reportedAt < REPORT_EVERY_MS) {
      return null;
    }
    tenant.reportedAt = now;
    tenant.isToldPunctual = false;
    return new TenantLag(organizationId, tenant.latest - outOfOrdernessMs);
  }

  /** Tenants remembered; those silent for a minute are not. */
  int size() {
    return tenants.size();
  }

  private void forget(long now) {
    if (now >= nextSweep) {
      nextSweep = now + REMEMBERED_MS;
      tenants
          .values()
          .removeIf(
              tenant ->
                  now - tenant.lateAt > REMEMBERED_MS && now - tenant.punctualAt > REMEMBERED_MS);
    }
  }
}
