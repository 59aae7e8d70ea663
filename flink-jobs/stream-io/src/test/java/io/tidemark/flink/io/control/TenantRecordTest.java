package io.tidemark.flink.io.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.tidemark.contracts.control.v1.Budgets;
import io.tidemark.contracts.control.v1.MetricRetention;
import io.tidemark.contracts.control.v1.Retention;
import io.tidemark.contracts.control.v1.TenantCensus;
import io.tidemark.contracts.control.v1.TenantControl;
import io.tidemark.contracts.control.v1.TenantState;
import io.tidemark.flink.model.budget.PlanDefaults;
import io.tidemark.flink.model.budget.TenantLimits;
import io.tidemark.flink.model.tenant.EnvironmentSettings;
import io.tidemark.flink.model.tenant.RetentionInForce;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TenantRecordTest {

  private static final String KEY = "org-a/env-a";

  private static TenantControl.Builder tenant() {
    return TenantControl.newBuilder()
        .setOrganizationId("org-a")
        .setEnvironmentId("env-a")
        .setState(TenantState.TENANT_STATE_ACTIVE)
        .setVersion(3);
  }

  private static TenantRecord read(TenantControl.Builder tenant) {
    return TenantRecord.of(new ControlRecord(KEY, tenant.build().toByteArray()));
  }

  @Test
  void absentNumbersAreThePlans() {
    TenantLimits plan = PlanDefaults.LIMITS;
    assertEquals(
        new TenantRecord.Environment(
            new EnvironmentSettings(EnvironmentSettings.NEVER, plan, RetentionInForce.PLAN, 3)),
        read(tenant()));
    assertEquals(
        new TenantRecord.Environment(
            new EnvironmentSettings(
                EnvironmentSettings.NEVER,
                new TenantLimits(
                    7,
                    plan.newSeriesPerMinute(),
                    plan.labelsPerSeries(),
                    plan.labelKeysPerMetric(),
                    9),
                RetentionInForce.PLAN,
                3)),
        read(tenant().setBudgets(Budgets.newBuilder().setActiveSeries(7).setLabelValueLength(9))));
  }

  @Test
  void retentionIsReadWithTheOneBefore() {
    long month = PlanDefaults.RETENTION.days();

    assertEquals(
        new TenantRecord.Environment(
            new EnvironmentSettings(
                EnvironmentSettings.NEVER,
                PlanDefaults.LIMITS,
                new RetentionInForce(
                    new io.tidemark.flink.model.budget.Retention(1, 2, 3, month),
                    77,
                    new io.tidemark.flink.model.budget.Retention(month, month, month, 4)),
                3)),
        read(
            tenant()
                .setRetention(
                    Retention.newBuilder()
                        .setRawSeconds(1)
                        .setRollup1MSeconds(2)
                        .setRollup1HSeconds(3))
                .setRetentionFromUnixMs(77)
                .setRetentionBefore(Retention.newBuilder().setRollup1DSeconds(4))));
  }

  @Test
  void aPointMayBeAsOldAsTheMetricThatIsKeptLongest() {
    TenantRecord.Environment read =
        (TenantRecord.Environment)
            read(
                tenant()
                    .setRetention(
                        exception("cpu.*", 9_999_999)
                            .setRollup1MSeconds(60)
                            .setRollup1DSeconds(70)));

    assertEquals(
        new io.tidemark.flink.model.budget.Retention(
            PlanDefaults.RETENTION.raw(), 9_999_999, PlanDefaults.RETENTION.hours(), 70),
        read.standing().retention().now());
  }

  @Test
  void suspendedTenantsAreCountedAndDeletedOnesAreNot() {
    assertEquals(
        new TenantRecord.Environment(
            new EnvironmentSettings(
                EnvironmentSettings.NEVER, PlanDefaults.LIMITS, RetentionInForce.PLAN, 3)),
        read(tenant().setState(TenantState.TENANT_STATE_SUSPENDED)));
    assertEquals(
        new TenantRecord.Environment(
            new EnvironmentSettings(1_060_000, PlanDefaults.LIMITS, RetentionInForce.PLAN, 3)),
        read(tenant().setState(TenantState.TENANT_STATE_DELETED).setUpdatedAtUnixMs(1_000_000)));
  }

  @Test
  void tombstoneAndCensus() {
    assertEquals(new TenantRecord.Gone(), TenantRecord.of(new ControlRecord(KEY, new byte[0])));
    assertEquals(
        new TenantRecord.Census(5),
        TenantRecord.of(
            new ControlRecord(
                "*",
                TenantCensus.newBuilder().setPublishedThroughUnixMs(5).build().toByteArray())));
  }

  @Test
  void whatContradictsTheContractIsUnreadable() {
    for (TenantControl.Builder wrong :
        new TenantControl.Builder[] {
          tenant().clearState(),
          tenant().setStateValue(99),
          tenant().setOrganizationId("org-b"),
          tenant().setBudgets(Budgets.newBuilder().setLabelsPerSeries(-1)),
          tenant().setRetention(Retention.newBuilder().setRawSeconds(-1)),
          tenant().setRetentionBefore(Retention.newBuilder().setRollup1DSeconds(-1)),
          tenant().setRetention(exception("cpu.*", -1)),
          tenant().setRetention(exception("", 5)),
          tenant().setRetention(exception("c*u", 5))
        }) {
      assertInstanceOf(TenantRecord.Unreadable.class, read(wrong), wrong::toString);
    }
  }

  private static Retention.Builder exception(String pattern, long seconds) {
    return Retention.newBuilder()
        .addMetrics(MetricRetention.newBuilder().setPattern(pattern).setRollup1MSeconds(seconds));
  }

  @Test
  void noBytesThrow() {
    Random random = new Random(7);
    byte[] good = tenant().build().toByteArray();
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = good.clone();
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      var unused = TenantRecord.of(new ControlRecord(i % 3 == 0 ? "*" : KEY, bytes));
    }
  }
}
