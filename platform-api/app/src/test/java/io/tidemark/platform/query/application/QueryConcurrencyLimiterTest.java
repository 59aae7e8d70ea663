package io.tidemark.platform.query.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.query.application.QueryConcurrencyLimiter.Turn;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

class QueryConcurrencyLimiterTest {

  private static final TenantId ONE = new TenantId("org-one");
  private static final TenantId OTHER = new TenantId("org-other");

  private static QueryConcurrencyLimiter turns(Duration patience) {
    return turns(patience, () -> 1);
  }

  private static QueryConcurrencyLimiter turns(Duration patience, IntSupplier processes) {
    return new QueryConcurrencyLimiter(
        Map.of(
            Lane.INTERACTIVE, new QueryConcurrencyLimiter.Size(3, 2, 4),
            Lane.SLOW, new QueryConcurrencyLimiter.Size(1, 1, 1)),
        patience,
        processes);
  }

  @Test
  void processesShareALaneAndEachHasOneTurnAtLeast() {
    AtomicInteger processes = new AtomicInteger(2);
    QueryConcurrencyLimiter turns = turns(Duration.ofMillis(1), processes::get);
    turns.enter(ONE, Lane.INTERACTIVE);
    refused(turns, OTHER, Lane.INTERACTIVE);
    turns.enter(ONE, Lane.SLOW);
    processes.set(1);
    turns.enter(OTHER, Lane.INTERACTIVE);
  }

  @Test
  void oneTenantCannotTakeAWholeLane() {
    QueryConcurrencyLimiter turns = turns(Duration.ofMillis(1));
    turns.enter(ONE, Lane.INTERACTIVE);
    turns.enter(ONE, Lane.INTERACTIVE);
    ProblemException refused = refused(turns, ONE, Lane.INTERACTIVE);
    assertThat(refused.code()).isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(refused.retryAfter()).isPresent();
    turns.enter(OTHER, Lane.INTERACTIVE);
  }

  @Test
  void lanesAreApart() {
    QueryConcurrencyLimiter turns = turns(Duration.ofMillis(1));
    turns.enter(ONE, Lane.SLOW);
    refused(turns, OTHER, Lane.SLOW);
    turns.enter(OTHER, Lane.INTERACTIVE);
  }

  @Test
  void whoWaitsGetsTheTurnThatIsGivenBack() throws Exception {
    QueryConcurrencyLimiter turns = turns(Duration.ofSeconds(30));
    Turn first = turns.enter(ONE, Lane.SLOW);
    CompletableFuture<Turn> waiting =
        CompletableFuture.supplyAsync(() -> turns.enter(OTHER, Lane.SLOW));
    first.close();
    waiting.get(20, TimeUnit.SECONDS).close();
    turns.enter(ONE, Lane.SLOW).close();
  }

  private static ProblemException refused(
      QueryConcurrencyLimiter turns, TenantId tenant, Lane lane) {
    ProblemException refused =
        catchThrowableOfType(ProblemException.class, () -> turns.enter(tenant, lane));
    assertThat(refused).isNotNull();
    return refused;
  }
}
