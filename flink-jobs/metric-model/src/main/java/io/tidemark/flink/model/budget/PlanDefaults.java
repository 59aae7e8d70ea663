package io.tidemark.flink.model.budget;

/** What an environment may use when nobody said otherwise. The one place where this is written. */
public final class PlanDefaults {

  public static final TenantLimits LIMITS = new TenantLimits(200_000, 50_000, 64, 64, 1_024);

  private PlanDefaults() {}
}
