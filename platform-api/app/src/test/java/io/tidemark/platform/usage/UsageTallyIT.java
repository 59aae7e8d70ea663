package io.tidemark.platform.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.billing.TallyCollector;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.usage.JdbcUsageTallies.HourUnits;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What processes count is in the ledger once, on a real PostgreSQL. */
@ExtendWith(RunningPlatform.Extension.class)
class UsageTallyIT {

  private static final TenantId TENANT = new TenantId("org-extra");

  private final JdbcClient database;
  private final TenantTransactions transactions;
  private final JdbcUsageTallies rows;
  private final TallyCollector collector;
  private final Clock clock;

  UsageTallyIT(RunningPlatform platform) {
    this.database = platform.database();
    this.transactions = platform.bean(TenantTransactions.class);
    this.rows = platform.bean(JdbcUsageTallies.class);
    this.collector = platform.bean(TallyCollector.class);
    this.clock = platform.bean(Clock.class);
  }

  private UsageTally process(String name) {
    return new UsageTally(transactions, rows, () -> name, clock);
  }

  private static UsedUnits used(String metric, long units) {
    return new UsedUnits("env-extra", "query", "interactive", metric, "queries", units);
  }

  private long entered(String metric) {
    return database
        .sql(
            """
            SELECT coalesce(sum(units), 0) FROM usage_entry
            WHERE organization_id = 'org-extra' AND meter = 'queries' AND metric = :metric
            """)
        .param("metric", metric)
        .query(Long.class)
        .single();
  }

  /** As if the last part of a running hour were long ago. */
  private void waitForTheNextPart() {
    database.sql("UPDATE usage_tally SET entered_at = entered_at - interval '1 hour'").update();
  }

  @Test
  void whatTwoProcessesCountIsEnteredOnceThoughOneIsKilledAndBothCollect() throws Exception {
    UsageTally killed = process("killed");
    UsageTally other = process("other");
    killed.start();
    other.start();
    ExecutorService callers = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        UsageTally one = i % 2 == 0 ? killed : other;
        calls.add(callers.submit(() -> one.add(TENANT, List.of(used("counted", 1)))));
      }
      for (Future<?> call : calls) {
        call.get();
      }
      // Nothing of "killed" is waited for from here on: what it answered is stored.
      List<Future<?>> collecting = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        collecting.add(callers.submit(collector::collect));
      }
      for (Future<?> one : collecting) {
        one.get();
      }
      collector.collect();
      assertThat(entered("counted")).isEqualTo(200);

      other.add(TENANT, List.of(used("counted", 7)));
      waitForTheNextPart();
      collector.collect();
      collector.collect();
      assertThat(entered("counted")).isEqualTo(207);
    } finally {
      callers.shutdownNow();
      killed.stop();
      other.stop();
    }
  }

  @Test
  void aPortionWhoseOutcomeIsNotKnownIsAddedOnce() {
    Instant hour = clock.instant().truncatedTo(ChronoUnit.HOURS);
    List<HourUnits> units = List.of(new HourUnits(hour, used("portion", 3)));
    for (long portion : new long[] {1, 1, 2, 2}) {
      transactions.run(TENANT, () -> rows.add(TENANT, "portions", portion, units));
    }
    collector.collect();
    assertThat(entered("portion")).isEqualTo(6);
  }

  @Test
  void whatIsCountedInATransactionIsCountedWhenItCommits() {
    UsageTally tally = process("transaction");
    assertThatThrownBy(
            () ->
                transactions.run(
                    TENANT,
                    () -> {
                      tally.addWithin(TENANT, List.of(used("undone", 1)));
                      throw new IllegalStateException("undone");
                    }))
        .hasMessage("undone");
    for (int i = 0; i < 2; i++) {
      transactions.run(TENANT, () -> tally.addWithin(TENANT, List.of(used("done", 1))));
    }
    collector.collect();
    assertThat(entered("undone")).isZero();
    assertThat(entered("done")).isEqualTo(2);
  }

  @Test
  void anHourIsMeasuredOnce() {
    Instant hour = clock.instant().truncatedTo(ChronoUnit.HOURS);
    for (String process : List.of("one", "two")) {
      process(process)
          .sample(
              TENANT,
              hour,
              "lake_storage",
              List.of(
                  new UsedUnits(
                      "env-extra",
                      "store",
                      "raw_points",
                      "",
                      "lake_storage",
                      new BigDecimal("123456789012345678901"))));
    }
    collector.collect();
    assertThat(
            database
                .sql(
                    """
                    SELECT sum(units) FROM usage_entry
                    WHERE organization_id = 'org-extra' AND meter = 'lake_storage'
                    """)
                .query(BigDecimal.class)
                .single())
        .isEqualByComparingTo("123456789012345678901");
  }

  /** The name comes from a caller. */
  @Test
  void aNameThatNoTextOfTheDatabaseHoldsStopsNobody() {
    UsageTally tally = process("names");
    tally.start();
    try {
      tally.add(TENANT, List.of(used("null\0name", 1), used("after", 1)));
      collector.collect();
      assertThat(entered("after")).isEqualTo(1);
    } finally {
      tally.stop();
    }
  }
}
