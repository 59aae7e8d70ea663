package io.tidemark.platform.billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.loops.BackgroundLoops;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.RunningPlatform;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** A month closes once, and what comes for it afterwards is an adjustment. */
@ExtendWith(RunningPlatform.Extension.class)
class PeriodCloseIT {

  private static final long MILLION = 1_000_000;

  private final RunningPlatform platform;
  private final BillingPeriod running;
  private final BillingPeriod last;

  PeriodCloseIT(RunningPlatform platform) {
    this.platform = platform;
    this.last = TestingAccount.lastMonth(platform);
    this.running = last.next();
  }

  /**
   * Two processes are given the same records, as when Kafka gives a partition to another while the
   * first still writes, and both close the month meanwhile.
   */
  @Test
  void aMonthClosesOnceInTheMiddleOfRecordsOfTwoProcesses() throws Exception {
    int all = 200;
    int late = 20;
    TestingAccount account = new TestingAccount(platform, "midst");
    List<MeteredRecord> records = new ArrayList<>();
    for (int i = 0; i < all; i++) {
      records.add(
          account.record(
              last.start().plus(i, ChronoUnit.HOURS), "lkc-" + i % 3, (i + 1) * MILLION));
    }
    ExecutorService workers = Executors.newFixedThreadPool(4);
    try (RunningPlatform other = platform.beside(Map.of())) {
      List<RunningPlatform> processes = List.of(platform, other);
      CountDownLatch begun = new CountDownLatch(40);
      CountDownLatch closed = new CountDownLatch(1);
      List<Future<?>> entering = new ArrayList<>();
      for (RunningPlatform process : processes) {
        entering.add(
            workers.submit(
                () -> {
                  for (int i = 0; i < all; i++) {
                    if (i == all - late) {
                      assertThat(closed.await(1, TimeUnit.MINUTES)).isTrue();
                    }
                    process.bean(UsageLedger.class).record(List.of(records.get(i)));
                    begun.countDown();
                  }
                  return null;
                }));
      }
      assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
      List<Future<Boolean>> closing = new ArrayList<>();
      for (RunningPlatform process : processes) {
        closing.add(
            workers.submit(() -> process.bean(Invoices.class).close(account.organization(), last)));
      }
      List<Boolean> closes =
          List.of(closing.get(0).get(1, TimeUnit.MINUTES), closing.get(1).get(1, TimeUnit.MINUTES));
      assertThat(closes).as("one of two closes it").containsExactlyInAnyOrder(true, false);
      JsonNode issued = account.get("/invoices/" + last).body();
      closed.countDown();
      for (Future<?> one : entering) {
        one.get(2, TimeUnit.MINUTES);
      }

      assertThat(account.get("/invoices/" + last).body()).isEqualTo(issued);
      assertThat(processes)
          .allSatisfy(
              process ->
                  assertThat(
                          process
                              .bean(Invoices.class)
                              .get(account.organization(), last.toString())
                              .hash())
                      .isEqualTo(issued.path("hash").asString()));
      everyRecordIsBilledOnce(account, issued, all, late);
    } finally {
      workers.shutdownNow();
    }
    assertThat(account.faults()).isEmpty();
  }

  /** Leaves alone what other tests of the same platform have not closed. */
  private PeriodCloser closerOf(List<TestingAccount> accounts) {
    CrossTenantInvoices due =
        new CrossTenantInvoices(platform.bean(JdbcClient.class)) {
          @Override
          List<Due> before(BillingPeriod open) {
            return accounts.stream().map(account -> new Due(account.organization(), last)).toList();
          }
        };
    return new PeriodCloser(
        due,
        platform.bean(Invoices.class),
        platform.bean(BillingProperties.class),
        platform.bean(Clock.class),
        // Its own is there already, and is not told of what only a test closes.
        new BackgroundLoops(new SimpleMeterRegistry(), platform.bean(Clock.class)));
  }

  /** Somebody holds the ledgers of more organisations than are closed at a time. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void thoseThatCannotCloseYetKeepNoOtherWaiting() throws Exception {
    List<TestingAccount> held = due("held-", 3);
    List<TestingAccount> others = due("beside-", 6);
    List<TestingAccount> accounts = new ArrayList<>(held);
    accounts.addAll(others);
    try (Connection hanging =
            DriverManager.getConnection(platform.server().url("tidemark") + "?user=postgres");
        PreparedStatement lock =
            hanging.prepareStatement(
                "SELECT 1 FROM usage_head WHERE organization_id = ANY (?) FOR UPDATE")) {
      hanging.setAutoCommit(false);
      lock.setArray(
          1,
          hanging.createArrayOf(
              "text", held.stream().map(account -> account.organization().value()).toArray()));
      lock.execute();
      assertThat(closerOf(accounts).closeDue()).isEqualTo(others.size());
      assertThat(others).allMatch(account -> state(account).equals("closed"));
      assertThat(held).allMatch(account -> state(account).equals("draft"));
    }
    assertThat(closerOf(accounts).closeDue()).isEqualTo(held.size());
    assertThat(held).allMatch(account -> state(account).equals("closed"));
  }

  private List<TestingAccount> due(String name, int count) throws Exception {
    List<TestingAccount> accounts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      TestingAccount account = new TestingAccount(platform, name + i);
      account.use(last.start(), "lkc-1", MILLION);
      accounts.add(account);
    }
    return accounts;
  }

  private String state(TestingAccount account) {
    return account.get("/invoices/" + last).body().path("state").asString();
  }

  private void everyRecordIsBilledOnce(TestingAccount account, JsonNode issued, int all, int late) {
    String units =
        "SELECT coalesce(sum(units), 0) FROM usage_entry WHERE organization_id = :organization AND "
            + "billed_month = :month";
    BigDecimal inTime = units(units, account, last);
    BigDecimal after = units(units, account, running);
    assertThat(inTime.add(after))
        .isEqualByComparingTo(BigDecimal.valueOf(MILLION * all * (all + 1) / 2));
    assertThat(after)
        .as("what came after the close is an adjustment")
        .isGreaterThanOrEqualTo(BigDecimal.valueOf(MILLION * late * (all - late)));
    assertThat(
            issued
                .path("lines")
                .valueStream()
                .filter(line -> line.path("id").asString().equals("points"))
                .map(line -> line.path("quantity").asString()))
        .containsExactly(inTime.toPlainString());
    List<String> lines = new ArrayList<>();
    account
        .get("/invoices/" + running)
        .body()
        .path("lines")
        .forEach(line -> lines.add(line.path("id").asString()));
    assertThat(lines).contains("adjustment-" + last + "-points");
  }

  private BigDecimal units(String sql, TestingAccount account, BillingPeriod month) {
    return platform
        .database()
        .sql(sql)
        .param("organization", account.organization().value())
        .param("month", month.firstDay())
        .query(BigDecimal.class)
        .single();
  }

  /** Whoever asks for what cannot be is told which field; what was used is billed all the same. */
  @Test
  void badInputIsRefusedByFieldOrCarriedToAnAdjustment() {
    TestingAccount account = new TestingAccount(platform, "bad-input");
    account.use(last.start(), "lkc-1", MILLION);
    account.close(last);
    refused(account, "PUT", "/plan", "{\"plan\":\"none\"}", "plan is 'none'");
    refused(account, "PUT", "/plan", "{}", "Give plan");
    refused(
        account,
        "PUT",
        "/plan",
        "{\"plan\":\"committed\",\"effective_from\":\"" + last.firstDay() + "\"}",
        "effective_from is in " + last + ", which is closed");
    String own =
        "{\"period\":\"%s\",\"custom\":{\"name\":\"own\",\"currency\":\"%s\",\"base_fee\":\"%s\","
            + "\"charges\":[{\"meter\":\"%s\",\"per\":\"%s\",\"included\":\"%s\",\"tiers\":[%s]}]}}";
    String tier = "{\"price\":\"1\"}";
    String below = "{\"up_to\":\"5\",\"price\":\"1\"}";
    for (String[] bad :
        new String[][] {
          {"EUX", "0", "points", "1", "0", tier, "currency is 'EUX'"},
          {"EUR", "-1", "points", "1", "0", tier, "base_fee must not be negative"},
          {"EUR", "0", "furlongs", "1", "0", tier, "charges[0].meter is 'furlongs'"},
          {"EUR", "0", "points", "7", "0", tier, "charges[0].per must be 1, 10, 100"},
          {"EUR", "0", "points", "1", "-5", tier, "charges[0].included must not be negative"},
          {"EUR", "0", "points", "1", "0", "", "charges[0].tiers must have at least one tier"},
          {"EUR", "0", "points", "1", "0", below, "charges[0].tiers[0].up_to leaves a gap"},
          {
            "EUR",
            "0",
            "points",
            "1",
            "0",
            below + "," + below + "," + tier,
            "charges[0].tiers[1].up_to must be more"
          },
          {
            "EUR",
            "0",
            "points",
            "1",
            "0",
            tier + "," + tier,
            "charges[0].tiers[0].up_to is missing"
          },
          {"EUR", "0", "points", "1", "0", "{\"price\":\"1e5\"}", "charges[0].tiers[0].price must"},
        }) {
      refused(
          account,
          "POST",
          "/plan/preview",
          own.formatted(last, bad[0], bad[1], bad[2], bad[3], bad[4], bad[5]),
          bad[6]);
    }
    refused(
        account,
        "POST",
        "/usage/what-if",
        "{\"metrics\":[],\"storage\":[{\"level\":\"raw_points\",\"keep_percent\":-1}]}",
        "storage: keep_percent of raw_points must be 0 to 100");
    refused(
        account,
        "POST",
        "/usage/what-if",
        "{\"metrics\":[],\"series_budgets\":[{\"environment_id\":\"env-a\",\"series\":-1}]}",
        "series_budgets: series of env-a must not be negative");
    refused(
        account,
        "POST",
        "/usage/what-if",
        "{\"metrics\":[],\"period\":\"" + running.next() + "\"}",
        "period must be a month");

    // An environment that is deleted, or never was, was used all the same; its month is closed.
    account.use(last.start().plus(1, ChronoUnit.DAYS), "lkc-gone", MILLION);
    // A clock that jumped ahead by a year when it was used.
    account.use(running.start().plus(365, ChronoUnit.DAYS), running.start(), "lkc-1", MILLION);
    List<String> reasons =
        platform
            .database()
            .sql(
                "SELECT reason FROM usage_entry WHERE organization_id = :organization"
                    + " AND kind = 'adjustment' ORDER BY sequence")
            .param("organization", account.organization().value())
            .query(String.class)
            .list();
    assertThat(reasons).containsExactly("PERIOD_CLOSED", "CLOCK_AHEAD");
    assertThat(account.faults()).isEmpty();
  }

  private static void refused(
      TestingAccount account, String method, String path, String body, String field) {
    Answer answer =
        method.equals("PUT")
            ? account.change(method, path, body, "If-Match", "*")
            : account.change(method, path, body);
    assertThat(answer.status()).as("%s: %s", body, answer.body()).isEqualTo(400);
    assertThat(answer.body().toString()).as("%s", body).contains(field);
  }
}
