package io.tidemark.platform.ingest.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.ingest.domain.IngestOutcome.OverQuota;
import io.tidemark.platform.ingest.domain.TenantRateLimiter.Standing;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TenantRateLimiterTest {

  private static final TenantId A = new TenantId("org-a");
  private static final TenantId B = new TenantId("org-b");

  private static final EnvironmentId PROD = new EnvironmentId("prod");
  private static final EnvironmentId TEST = new EnvironmentId("test");

  private final Map<TenantId, QuotaLimits> limits = new HashMap<>();
  private final Map<EnvironmentId, QuotaLimits> environments = new HashMap<>();
  private final Map<EnvironmentId, OverQuota> tooManySeries = new HashMap<>();
  private long nanoTime = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(5);
  private final TenantRateLimiter admission =
      limiter((organization, environment, quota, amount) -> {});

  private TenantRateLimiter limiter(TenantRateLimiter.Uses told) {
    return new TenantRateLimiter(
        (tenant, environment) ->
            new Allowance(
                limits.getOrDefault(tenant, new QuotaLimits(10, 1_000, 100)),
                environments.get(environment)),
        (tenant, environment) -> Optional.ofNullable(tooManySeries.get(environment)),
        () -> nanoTime,
        told);
  }

  private void pass(long seconds) {
    nanoTime += TimeUnit.SECONDS.toNanos(seconds);
  }

  private int admitted(TenantId tenant, int requests) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      if (admission.request(tenant, PROD).isEmpty()) {
        admitted++;
      }
    }
    return admitted;
  }

  @Test
  void overTimeNoMoreComesInThanTheQuotaWhateverTheSenderTries() {
    int admitted = admitted(A, 1_000);
    assertThat(admitted).isEqualTo(10 * TokenBucket.SECONDS);
    for (int second = 0; second < 60; second++) {
      pass(1);
      admitted += admitted(A, 100);
    }
    assertThat(admitted).isEqualTo(10 * (TokenBucket.SECONDS + 60));
  }

  @Test
  void anEnvironmentThatIsRefusedForItsSeriesUsesUpNothing() {
    OverQuota series = new OverQuota(SeriesBudget.ACTIVE_SERIES, 40, Duration.ofSeconds(90));
    tooManySeries.put(PROD, series);
    for (int i = 0; i < 1_000; i++) {
      assertThat(admission.request(A, PROD)).contains(series);
    }
    assertThat(series.detail()).contains("active_series of 40 ").contains("90 s");
    assertThat(admission.request(A, TEST)).isEmpty();
    tooManySeries.clear();
    assertThat(admitted(A, 1_000)).isEqualTo(10 * TokenBucket.SECONDS - 1);
  }

  @Test
  void aSilenceSavesUpNoMoreThanTheWindow() {
    admitted(A, 1_000);
    pass(100_000);
    assertThat(admitted(A, 1_000)).isEqualTo(10 * TokenBucket.SECONDS);
  }

  @Test
  void aBatchLargerThanTheQuotaIsTakenWholeAndPaidForAfterwards() {
    assertThat(admission.request(A, PROD)).isEmpty();
    admission.used(A, PROD, Quota.POINTS, 5_000);
    OverQuota over = admission.request(A, PROD).orElseThrow();
    assertThat(over.quota()).isEqualTo(Quota.POINTS);
    assertThat(over.limit()).isEqualTo(100);
    assertThat(over.retryAfter()).isEqualTo(Duration.ofSeconds(41));
    assertThat(over.detail()).contains("points_per_second").contains("100").contains("41 s");
    pass(40);
    assertThat(admission.request(A, PROD)).isPresent();
    pass(1);
    assertThat(admission.request(A, PROD)).isEmpty();
  }

  @Test
  void theLongestWaitIsToldWhenSeveralQuotasAreUsedUp() {
    admission.used(A, PROD, Quota.POINTS, 1_100);
    admission.used(A, PROD, Quota.BYTES, 100_000);
    OverQuota over = admission.request(A, PROD).orElseThrow();
    assertThat(over.quota()).isEqualTo(Quota.BYTES);
    assertThat(over.retryAfter()).isEqualTo(Duration.ofSeconds(91));
  }

  @Test
  void whoIsRefusedIsNotChargedAndNobodyPaysForAnother() {
    admission.used(A, PROD, Quota.BYTES, 11_000);
    assertThat(admitted(A, 10_000)).isZero();
    assertThat(admitted(B, 1_000)).isEqualTo(10 * TokenBucket.SECONDS);
    pass(2);
    assertThat(admitted(A, 1_000)).isEqualTo(10 * TokenBucket.SECONDS);
  }

  @Test
  void aChangedQuotaHoldsFromNowOn() {
    admission.used(A, PROD, Quota.POINTS, 1_001);
    assertThat(admission.request(A, PROD)).isPresent();
    limits.put(A, new QuotaLimits(10, 1_000, 1_000_000));
    pass(1);
    assertThat(admission.request(A, PROD)).isEmpty();
    limits.put(A, new QuotaLimits(1, 1_000, 1_000_000));
    pass(1);
    assertThat(admitted(A, 100)).isEqualTo(TokenBucket.SECONDS);
  }

  @Test
  void standingsSayWhatIsLeft() {
    admission.request(A, PROD);
    admission.used(A, PROD, Quota.POINTS, 1_500);
    assertThat(admission.standings(A, PROD))
        .containsExactly(
            new Standing(Quota.REQUESTS, 100, Duration.ofSeconds(10), 99, Duration.ofSeconds(1)),
            new Standing(Quota.BYTES, 10_000, Duration.ofSeconds(10), 10_000, Duration.ZERO),
            new Standing(Quota.POINTS, 1_000, Duration.ofSeconds(10), 0, Duration.ofSeconds(15)));
  }

  @Test
  void aQuotaIsAtLeastOne() {
    assertThatThrownBy(() -> new QuotaLimits(0, 1, 1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anEnvironmentUpToItsQuotaLeavesTheOthersTheRestOfTheOrganisations() {
    environments.put(TEST, new QuotaLimits(10, 1_000, 20));
    admission.used(A, TEST, Quota.POINTS, 300);
    OverQuota over = admission.request(A, TEST).orElseThrow();
    assertThat(over.quota()).isEqualTo(Quota.POINTS);
    assertThat(over.limit()).isEqualTo(20);
    assertThat(admission.standings(A, TEST).get(2).left()).isZero();
    assertThat(admission.standings(A, PROD).get(2).left()).isEqualTo(700);
    assertThat(admission.request(A, PROD)).isEmpty();
  }

  /** Each gateway hears of the other's once a second. */
  @Test
  void twoGatewaysLetInNoMoreThanOneAndWhatEachHasSavedUp() {
    List<Long> here = new ArrayList<>();
    List<Long> there = new ArrayList<>();
    TenantRateLimiter one = limiter((tenant, environment, quota, amount) -> here.add(amount));
    TenantRateLimiter other = limiter((tenant, environment, quota, amount) -> there.add(amount));
    int admitted = 0;
    for (int second = 0; second < 120; second++) {
      for (int i = 0; i < 100; i++) {
        admitted += one.request(A, PROD).isEmpty() ? 1 : 0;
        admitted += other.request(A, PROD).isEmpty() ? 1 : 0;
      }
      long heardThere = here.stream().mapToLong(amount -> amount).sum();
      long heardHere = there.stream().mapToLong(amount -> amount).sum();
      here.clear();
      there.clear();
      other.usedElsewhere(A, PROD, Quota.REQUESTS, heardThere);
      one.usedElsewhere(A, PROD, Quota.REQUESTS, heardHere);
      pass(1);
    }
    assertThat(admitted).isBetween(10 * 110, 10 * (120 + 2 * TokenBucket.SECONDS));
  }

  @Test
  void environmentsTogetherGetNoMoreThanTheOrganisation() {
    environments.put(TEST, new QuotaLimits(10, 1_000, 100));
    admission.used(A, TEST, Quota.POINTS, 600);
    admission.used(A, PROD, Quota.POINTS, 600);
    assertThat(admission.request(A, TEST).orElseThrow().limit()).isEqualTo(100);
    assertThat(admission.request(A, PROD)).isPresent();
  }
}
