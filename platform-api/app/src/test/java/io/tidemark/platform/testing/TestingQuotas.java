package io.tidemark.platform.testing;

import io.tidemark.platform.ingest.application.TenantQuotas;
import io.tidemark.platform.ingest.domain.QuotaLimits;
import io.tidemark.platform.shared.TenantId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Quotas that nobody reaches, unless a test sets others for a tenant of its own. */
public final class TestingQuotas implements TenantQuotas {

  private static final QuotaLimits WIDE =
      new QuotaLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

  private final Map<TenantId, QuotaLimits> set = new ConcurrentHashMap<>();

  @Override
  public QuotaLimits of(TenantId organization) {
    return set.getOrDefault(organization, WIDE);
  }

  public void set(String organization, QuotaLimits limits) {
    set.put(new TenantId(organization), limits);
  }
}
