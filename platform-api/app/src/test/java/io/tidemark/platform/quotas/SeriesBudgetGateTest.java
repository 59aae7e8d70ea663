package io.tidemark.platform.quotas;

import static io.tidemark.platform.quotas.SeriesBudgetStatus.Budget.ACTIVE_SERIES;
import static io.tidemark.platform.quotas.SeriesBudgetStatus.Budget.NEW_SERIES_PER_MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.quotas.SeriesBudgetStatus.Refusal;
import io.tidemark.platform.replicas.RowChanges;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.tenancy.Budgets;
import io.tidemark.platform.tenancy.SeriesOverrunPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SeriesBudgetGateTest {

  private static final TenantId ORGANIZATION = new TenantId("org-a");
  private static final EnvironmentId ENVIRONMENT = new EnvironmentId("prod");
  private static final Instant FOLDED = Instant.parse("2026-01-01T12:00:00Z");

  private final BudgetViolations told = new BudgetViolations();
  private Instant now = FOLDED.plusSeconds(7);
  private Budgets inDatabase = budgets(100L, SeriesOverrunPolicy.REFUSE);
  private int asked;
  private final InstantSource time = () -> now;
  private final SeriesBudgetStatus refused =
      new SeriesBudgetGate(
          told,
          (organization, environment) -> answer(),
          new RowChanges(),
          time.withZone(ZoneOffset.UTC),
          () -> TimeUnit.MILLISECONDS.toNanos(now.toEpochMilli()));

  private static Budgets budgets(Long activeSeries, SeriesOverrunPolicy whenExceeded) {
    return new Budgets(activeSeries, null, null, null, null, whenExceeded).or(Budgets.PLAN);
  }

  private Budgets answer() {
    asked++;
    if (inDatabase == null) {
      throw new IllegalStateException("the database is away, as the test wants it");
    }
    return inDatabase;
  }

  private Optional<Refusal> refusal() {
    return refused.of(ORGANIZATION, ENVIRONMENT);
  }

  private void pass(Duration duration) {
    now = now.plus(duration);
  }

  @Test
  void anEnvironmentInExcessIsRefusedForTwoMinutesAfterThePipelineSaidSoLast() {
    assertThat(refusal()).isEmpty();
    assertThat(asked).as("nobody in excess costs nothing").isZero();
    told.told(ORGANIZATION, ENVIRONMENT, ACTIVE_SERIES, 100, FOLDED);
    assertThat(refusal()).contains(new Refusal(ACTIVE_SERIES, 100, Duration.ofSeconds(113)));
    assertThat(refused.of(ORGANIZATION, new EnvironmentId("test"))).isEmpty();
    assertThat(refused.of(new TenantId("org-b"), ENVIRONMENT)).isEmpty();
    pass(Duration.ofMillis(112_500));
    assertThat(refusal()).contains(new Refusal(ACTIVE_SERIES, 100, Duration.ofSeconds(1)));
    pass(Duration.ofMillis(500));
    assertThat(refusal()).isEmpty();
    told.told(ORGANIZATION, ENVIRONMENT, ACTIVE_SERIES, 100, now);
    told.told(ORGANIZATION, ENVIRONMENT, ACTIVE_SERIES, 100, FOLDED);
    assertThat(refusal()).as("an older record takes nothing back").isPresent();
  }

  @Test
  void onlyWhoWantsItIsRefused() {
    told.told(ORGANIZATION, ENVIRONMENT, ACTIVE_SERIES, 100, FOLDED);
    inDatabase = budgets(100L, null);
    assertThat(refusal()).as("the plan folds").isEmpty();
    inDatabase = budgets(100L, SeriesOverrunPolicy.REFUSE);
    assertThat(refusal()).as("remembered").isEmpty();
    pass(Duration.ofSeconds(2));
    assertThat(refusal()).isPresent();
    assertThat(refusal()).isPresent();
    assertThat(asked).isEqualTo(2);
    inDatabase = budgets(100L, SeriesOverrunPolicy.FOLD);
    pass(Duration.ofSeconds(2));
    assertThat(refusal()).isEmpty();
  }

  @Test
  void aRaisedBudgetLetsInAtOnceAndALoweredOneDoesNot() {
    told.told(ORGANIZATION, ENVIRONMENT, ACTIVE_SERIES, 100, FOLDED);
    inDatabase = budgets(50L, SeriesOverrunPolicy.REFUSE);
    assertThat(refusal()).hasValueSatisfying(now -> assertThat(now.limit()).isEqualTo(50));
    inDatabase = budgets(101L, SeriesOverrunPolicy.REFUSE);
    pass(Duration.ofSeconds(2));
    assertThat(refusal()).isEmpty();
  }

  @Test
  void ofTwoBudgetsTheOneThatTakesLongerIsNamed() {
    told.told(ORGANIZATION, ENVIRONMENT, ACTIVE_SERIES, 100, FOLDED.minusSeconds(60));
    told.told(ORGANIZATION, ENVIRONMENT, NEW_SERIES_PER_MINUTE, 50_000, FOLDED);
    assertThat(refusal())
        .contains(new Refusal(NEW_SERIES_PER_MINUTE, 50_000, Duration.ofSeconds(113)));
    told.told(ORGANIZATION, ENVIRONMENT, ACTIVE_SERIES, 100, FOLDED.plusSeconds(5));
    assertThat(refusal()).contains(new Refusal(ACTIVE_SERIES, 100, Duration.ofSeconds(118)));
  }

  @Test
  void nobodyIsRefusedWhoseBudgetsCannotBeRead() {
    told.told(ORGANIZATION, ENVIRONMENT, ACTIVE_SERIES, 100, FOLDED);
    inDatabase = null;
    assertThat(refusal()).isEmpty();
    assertThat(refusal()).isEmpty();
    assertThat(asked).isEqualTo(1);
  }
}
