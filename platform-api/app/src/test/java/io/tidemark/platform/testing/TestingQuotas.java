package io.tidemark.platform.testing;

import io.tidemark.platform.ingest.application.TenantQuotas;
import io.tidemark.platform.ingest.domain.Allowance;
import io.tidemark.platform.ingest.domain.QuotaLimits;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The application's own quotas, unless a test sets others for a tenant of its own. */
public final class TestingQuotas implements TenantQuotas {

  private final Supplier<TenantQuotas> own;
  private final Map<TenantId, QuotaLimits> set = new ConcurrentHashMap<>();

  public TestingQuotas(Supplier<TenantQuotas> own) {
    this.own = own;
  }

  @Override
  public Allowance of(TenantId organization, EnvironmentId environment) {
    QuotaLimits limits = set.get(organization);
    return limits == null ? own.get().of(organization, environment) : new Allowance(limits, null);
  }

  public void set(String organization, QuotaLimits limits) {
    set.put(new TenantId(organization), limits);
  }
}
