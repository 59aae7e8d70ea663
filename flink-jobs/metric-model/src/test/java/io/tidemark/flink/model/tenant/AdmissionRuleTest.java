package io.tidemark.flink.model.tenant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.tidemark.flink.model.budget.PlanDefaults;
import io.tidemark.flink.model.budget.Retention;
import io.tidemark.flink.model.budget.TenantLimits;
import io.tidemark.flink.model.tenant.AdmissionRule.Counted;
import io.tidemark.flink.model.tenant.AdmissionRule.Refused;
import io.tidemark.flink.model.tenant.AdmissionRule.Waits;
import org.junit.jupiter.api.Test;

class AdmissionRuleTest {

  private static final AdmissionRule RULE = AdmissionRule.DEFAULT;
  private static final TenantLimits LIMITS = new TenantLimits(1, 2, 3, 4, 5);
  private static final Counted BY_DEFAULT = RULE.byDefault();
  private static final long DAY = 86_400;
  private static final long DAY_MS = 86_400_000;
  private static final Retention SHORT = new Retention(900 * DAY, DAY, 2 * DAY, 3 * DAY);
  private static final Retention LONG = new Retention(DAY, 40 * DAY, 3 * DAY, 2 * DAY);
  private static final long RECEIVED = 1_000_000;

  private static EnvironmentSettings standing(RetentionInForce retention) {
    return new EnvironmentSettings(EnvironmentSettings.NEVER, LIMITS, retention, 1);
  }

  @Test
  void controlRecordDecides() {
    assertEquals(
        new Counted(LIMITS, 40 * DAY_MS),
        RULE.verdict(standing(RetentionInForce.always(LONG)), 0, RECEIVED, RECEIVED, RECEIVED));
  }

  /** However far a job lags, it refuses the batches that every other job refuses. */
  @Test
  void deletionRefusesWhatWasReceivedAfterIt() {
    EnvironmentSettings deleted =
        new EnvironmentSettings(RECEIVED, LIMITS, RetentionInForce.PLAN, 2);

    assertInstanceOf(Refused.class, RULE.verdict(deleted, 0, RECEIVED, RECEIVED, RECEIVED));
    assertInstanceOf(Counted.class, RULE.verdict(deleted, 0, RECEIVED - 1, RECEIVED, RECEIVED));
  }

  /** Whenever a job hears of a change, it judges a batch like every other job. */
  @Test
  void pointsMayBeAsOldAsTheLongestLevelKeptWhenTheyWereReceived() {
    EnvironmentSettings standing = standing(new RetentionInForce(LONG, RECEIVED, SHORT));

    assertEquals(new Counted(LIMITS, 40 * DAY_MS), RULE.verdict(standing, 0, RECEIVED, 0, 0));
    assertEquals(new Counted(LIMITS, 3 * DAY_MS), RULE.verdict(standing, 0, RECEIVED - 1, 0, 0));
  }

  @Test
  void unstatedRetentionIsThePlansOrForEver() {
    assertEquals(31 * DAY_MS, BY_DEFAULT.longestAgeMs());
    AdmissionRule judgedBefore =
        new AdmissionRule(RULE.margin(), RULE.patience(), Retention.FOREVER);
    assertEquals(
        new Counted(PlanDefaults.LIMITS, Long.MAX_VALUE),
        judgedBefore.verdict(null, 0, RECEIVED, RECEIVED, RECEIVED));
  }

  @Test
  void withoutCensusTheGatewaysWordCounts() {
    assertEquals(BY_DEFAULT, RULE.verdict(null, 0, RECEIVED, RECEIVED, RECEIVED));
  }

  @Test
  void unknownEnvironmentIsRefusedOnceTheCensusIsPastTheBatch() {
    long margin = RULE.margin().toMillis();
    assertInstanceOf(
        Waits.class,
        RULE.verdict(null, RECEIVED + margin - 1, RECEIVED, RECEIVED + 5, RECEIVED + 5));
    assertInstanceOf(
        Refused.class, RULE.verdict(null, RECEIVED + margin, RECEIVED, RECEIVED + 5, RECEIVED + 6));
  }

  /** The control plane is down: a tenant created just before it fell must not lose data. */
  @Test
  void patienceEndsInFavourOfTheSender() {
    long met = RECEIVED + 5;
    long end = met + RULE.patience().toMillis();
    assertInstanceOf(Waits.class, RULE.verdict(null, RECEIVED - 1, RECEIVED, met, end - 1));
    assertEquals(BY_DEFAULT, RULE.verdict(null, RECEIVED - 1, RECEIVED, met, end));
  }

  @Test
  void receiptInTheFutureDoesNotBuyTime() {
    long met = RECEIVED;
    long census = met + RULE.margin().toMillis();
    assertInstanceOf(Refused.class, RULE.verdict(null, census, RECEIVED * 10, met, met + 30_000));
  }
}
