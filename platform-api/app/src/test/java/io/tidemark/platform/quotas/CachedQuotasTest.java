package io.tidemark.platform.quotas;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.quotas.EffectiveQuotas.Allowance;
import io.tidemark.platform.replicas.RowChanges;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CachedQuotasTest {

  private static final TenantId ORGANIZATION = new TenantId("org-a");
  private static final EnvironmentId ENVIRONMENT = new EnvironmentId("prod");
  private static final QuotaAmounts PLAN = new QuotaAmounts(100, 100, 100);

  private long nanoTime;
  private int asked;
  private QuotaAmounts inDatabase = PLAN;
  private final RowChanges changes = new RowChanges();
  private final CachedQuotas quotas =
      new CachedQuotas((organization, environment) -> answer(), PLAN, changes, () -> nanoTime);

  private Allowance answer() {
    asked++;
    if (inDatabase == null) {
      throw new IllegalStateException("the database is away, as the test wants it");
    }
    return new Allowance(inDatabase, null);
  }

  private long points() {
    return quotas.of(ORGANIZATION, ENVIRONMENT).organization().points();
  }

  private void pass(long milliseconds) {
    nanoTime += TimeUnit.MILLISECONDS.toNanos(milliseconds);
  }

  @Test
  void aChangeIsSeenAfterTwoSecondsAndTheDatabaseIsAskedOnceInThem() {
    assertThat(points()).isEqualTo(100);
    inDatabase = new QuotaAmounts(100, 100, 7);
    pass(1_900);
    assertThat(points()).isEqualTo(100);
    assertThat(asked).isEqualTo(1);
    pass(200);
    assertThat(points()).isEqualTo(7);
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void whatWasKnownLastHoldsWhileTheDatabaseIsAwayAndItIsNotAskedByEveryRequest() {
    inDatabase = new QuotaAmounts(100, 100, 7);
    assertThat(points()).isEqualTo(7);
    inDatabase = null;
    pass(3_000);
    assertThat(points()).isEqualTo(7);
    assertThat(points()).isEqualTo(7);
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void whoWasNeverSeenGetsThePlanWhileTheDatabaseIsAway() {
    inDatabase = null;
    assertThat(points()).isEqualTo(100);
  }

  @Test
  void aChangeThatIsHeardOfIsSeenAtOnceAndAskedForOnce() {
    assertThat(points()).isEqualTo(100);
    inDatabase = new QuotaAmounts(100, 100, 7);
    changes.changed("quota org-b");
    assertThat(points()).isEqualTo(100);
    changes.changed("quota org-a");
    assertThat(points()).isEqualTo(7);
    assertThat(points()).isEqualTo(7);
    assertThat(asked).isEqualTo(2);
    changes.everythingMayHaveChanged();
    inDatabase = null;
    assertThat(points()).as("known while the database is away").isEqualTo(7);
    assertThat(points()).isEqualTo(7);
    assertThat(asked).isEqualTo(3);
  }
}
