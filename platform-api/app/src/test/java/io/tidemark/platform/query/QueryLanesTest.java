package io.tidemark.platform.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.query.application.CostGuard;
import io.tidemark.platform.query.application.QueryConcurrencyLimiter;
import io.tidemark.platform.query.application.QueryConcurrencyLimiter.Turn;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** The sizes of lanes that are in force where nobody says otherwise. */
class QueryLanesTest {

  private static final TenantId BUSY = new TenantId("org-busy");
  private static final TenantId QUIET = new TenantId("org-quiet");

  private static QueryProperties properties(Map<String, String> set) {
    return new Binder(new MapConfigurationPropertySource(set))
        .bindOrCreate("tidemark.query", QueryProperties.class);
  }

  private static QueryConcurrencyLimiter turns(String patience) {
    return properties(Map.of("tidemark.query.patience", patience)).turns(() -> 1);
  }

  /** Queries of the lake are always slow ones. */
  @ParameterizedTest
  @EnumSource(Lane.class)
  void oneTenantNeverHoldsAWholeLane(Lane lane) {
    QueryConcurrencyLimiter turns = turns("1ms");
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                turns.enter(BUSY, lane);
              }
            })
        .isInstanceOf(ProblemException.class);
    turns.enter(QUIET, lane).close();
  }

  /** As an exporter sends them at every scrape. */
  @Test
  void aBurstOfOneTenantWaitsAndIsAnswered() throws Exception {
    QueryConcurrencyLimiter turns = turns("30s");
    List<Turn> held = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      held.add(turns.enter(BUSY, Lane.INTERACTIVE));
    }
    ExecutorService callers = Executors.newCachedThreadPool();
    try {
      List<CompletableFuture<Void>> burst = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        burst.add(
            CompletableFuture.runAsync(() -> turns.enter(BUSY, Lane.INTERACTIVE).close(), callers));
      }
      while (turns.waiting(Lane.INTERACTIVE) < 64) {
        assertThat(burst).noneMatch(CompletableFuture::isCompletedExceptionally);
        Thread.onSpinWait();
      }
      turns.enter(QUIET, Lane.INTERACTIVE).close();
      held.forEach(Turn::close);
      CompletableFuture.allOf(burst.toArray(new CompletableFuture<?>[0])).get(30, TimeUnit.SECONDS);
    } finally {
      callers.shutdownNow();
    }
    assertThat(turns.waiting(Lane.INTERACTIVE)).isZero();
  }

  @Test
  void lookUpsTakeTurnsLikeQueries() {
    CostGuard guard = new CostGuard(1, 1, 1, turns("1ms"));
    for (int i = 0; i < 3; i++) {
      guard.enterLookUp(BUSY, Lane.INTERACTIVE);
    }
    assertThatThrownBy(() -> guard.enterLookUp(BUSY, Lane.INTERACTIVE))
        .isInstanceOf(ProblemException.class);
    guard.enterLookUp(QUIET, Lane.INTERACTIVE).close();
  }

  @Test
  void lookUpsAreJudgedByTheRowsThatTheyReadLikeQueries() {
    CostGuard guard = new CostGuard(10, 100, 100, turns("1ms"));
    assertThat(guard.judgeLookUp(9)).isEqualTo(Lane.INTERACTIVE);
    assertThat(guard.judgeLookUp(10)).isEqualTo(Lane.SLOW);
    assertThat(guard.judgeLookUp(100)).isEqualTo(Lane.SLOW);
    assertThatThrownBy(() -> guard.judgeLookUp(101))
        .isInstanceOfSatisfying(
            ProblemException.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo(ErrorCode.QUERY_TOO_EXPENSIVE);
              assertThat(refusal.details().get(0))
                  .contains("about 101 stored rows", "limit is 100");
            });
  }

  @Test
  void aLaneThatOneTenantWouldHoldStopsTheStart() {
    assertThat(properties(Map.of("tidemark.query.slow", "1")).faults())
        .anyMatch(fault -> fault.contains("at least 2"));
  }
}
