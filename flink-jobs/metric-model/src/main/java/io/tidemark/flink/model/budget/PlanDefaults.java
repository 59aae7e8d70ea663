package io.tidemark.flink.model.budget;

/** What an environment may use when nobody said otherwise; {@code vocabulary/plan.yaml}. */
public final class PlanDefaults {

  public static final TenantLimits LIMITS = new TenantLimits(200_000, 50_000, 64, 64, 1_024);

  public static final OrganizationLimits ORGANIZATION =
      new OrganizationLimits(1_000_000, 2_000, 1_000);

  private static final long DAY = 86_400;

  /** Every level for 31 days. */
  public static final Retention RETENTION = new Retention(31 * DAY, 31 * DAY, 31 * DAY, 31 * DAY);

  private PlanDefaults() {}
}
