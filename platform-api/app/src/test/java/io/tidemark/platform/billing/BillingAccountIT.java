package io.tidemark.platform.billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.billing.domain.Credit;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingAlerts;
import io.tidemark.platform.testing.TestingBrowser;
import io.tidemark.platform.testing.TestingPeople;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Costs, documents, budgets and credits of organisations that belong to one test each. */
@ExtendWith(RunningPlatform.Extension.class)
class BillingAccountIT {

  private static final AtomicLong RECORDS = new AtomicLong(1_000_000);
  private static final long MILLION = 1_000_000;

  private final RunningPlatform platform;
  private final BillingPeriod running;
  private final BillingPeriod last;

  BillingAccountIT(RunningPlatform platform) {
    this.platform = platform;
    this.running = BillingPeriod.at(platform.bean(Clock.class).instant());
    this.last = running.previous();
  }

  /** A new organisation as its founder sees it. */
  private final class Account {
    private final TestingBrowser founder;
    private final TenantId organization;

    Account(String name) {
      founder = TestingPeople.signedIn(platform, name + "@example.org");
      Answer made =
          founder.change("POST", "/api/v1/organizations", "{\"display_name\":\"Łódź Telemetry\"}");
      assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
      organization = new TenantId(made.body().path("id").asString());
    }

    private String path(String path) {
      return "/api/v1/organizations/" + organization.value() + path;
    }

    Answer get(String path) {
      return founder.call("GET", path(path), null);
    }

    Answer change(String method, String path, String body, String... headers) {
      return founder.change(method, path(path), body, headers);
    }

    void use(Instant hour, String resource, long points) {
      use(hour, hour.plusSeconds(3_610), resource, points);
    }

    void use(Instant hour, Instant meteredAt, String resource, long points) {
      platform.bean(UsageLedger.class).record(List.of(record(hour, meteredAt, resource, points)));
    }

    MeteredRecord record(Instant hour, String resource, long points) {
      return record(hour, hour.plusSeconds(3_610), resource, points);
    }

    private MeteredRecord record(Instant hour, Instant meteredAt, String resource, long points) {
      long number = RECORDS.incrementAndGet();
      return new MeteredRecord(
          organization,
          "%064x".formatted(number),
          "env-a",
          "kafka",
          resource,
          "cpu",
          hour,
          1,
          Map.of("points", BigDecimal.valueOf(points)),
          meteredAt,
          0,
          number);
    }

    void close(BillingPeriod period) {
      assertThat(platform.bean(Invoices.class).close(organization, period)).isTrue();
    }

    List<String> faults() {
      List<String> faults = new ArrayList<>();
      get("/usage/verification").body().path("faults").forEach(one -> faults.add(one.asString()));
      return faults;
    }

    List<JsonNode> costs(BillingPeriod period, int pageSize) {
      List<JsonNode> all = new ArrayList<>();
      String next =
          "/billing/v1/costs?start_date=%s&end_date=%s&page_size=%d"
              .formatted(period.firstDay(), period.next().firstDay(), pageSize);
      while (!next.isEmpty()) {
        Answer page = founder.call("GET", next.substring(next.indexOf("/billing")), null);
        assertThat(page.status()).as("%s", page.body()).isEqualTo(200);
        assertThat(page.body().path("data").size()).isLessThanOrEqualTo(pageSize);
        page.body().path("data").forEach(all::add);
        next = page.body().path("metadata").path("next").asString("");
      }
      return all;
    }

    private byte[] file(String path, String type) {
      Answer answer = get(path);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.header("Content-Type")).startsWith(type);
      assertThat(answer.header("Content-Disposition")).contains("attachment");
      return answer.response().body();
    }

    String text(String path, String type) {
      return new String(file(path, type), StandardCharsets.UTF_8);
    }
  }

  private static BigDecimal sum(List<JsonNode> costs) {
    return costs.stream()
        .map(cost -> new BigDecimal(cost.path("amount").asString()))
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  @Test
  void costsFilesAndTheInvoiceAgree() {
    Account account = new Account("costs");
    Instant day = last.start().plus(10, ChronoUnit.DAYS);
    account.use(day, "lkc-1", 8 * MILLION);
    account.use(day.plus(25, ChronoUnit.HOURS), "lkc-1", 3 * MILLION + 1);
    account.use(day.plus(25, ChronoUnit.HOURS), "lkc-2", 5 * MILLION);

    Answer draft = account.get("/invoices/" + last);
    List<JsonNode> costs = account.costs(last, 2);
    assertThat(sum(costs)).isEqualByComparingTo(draft.body().path("subtotal").asString());
    assertThat(costs.get(0).path("resource").path("id").asString()).isEqualTo("lkc-1");
    assertThat(costs.stream().map(cost -> cost.path("line_type").asString()))
        .contains("POINTS", "ROUNDING");
    assertThat(costs.stream().map(cost -> cost.path("id").asString())).doesNotHaveDuplicates();
    assertThat(account.text("/invoices/" + last + "/focus", "text/csv"))
        .startsWith("BilledCost,BillingAccountId")
        .contains("Łódź Telemetry");
    assertThat(account.text("/invoices/" + last + "/document?format=csv", "text/csv"))
        .contains(",draft,points,usage,");

    JsonNode ofResource =
        account.get("/invoices/" + last + "/costs?resource_type=kafka&resource_id=lkc-1").body();
    assertThat(ofResource.at("/meters/0/meter").asString()).isEqualTo("points");
    assertThat(ofResource.at("/meters/0/quantity").asString())
        .isEqualTo(String.valueOf(11 * MILLION + 1));
    assertThat(ofResource.path("amount").asString())
        .isEqualTo(ofResource.at("/meters/0/amount").asString());
    JsonNode ofNone = account.get("/invoices/" + last + "/costs?resource_id=none").body();
    assertThat(ofNone.path("amount").asString()).isEqualTo("0");

    account.close(last);
    assertThat(account.costs(last, 5_000)).as("the same, closed").isEqualTo(costs);
    byte[] pdf = account.file("/invoices/" + last + "/document", "application/pdf");
    assertThat(new String(pdf, 0, 5, StandardCharsets.ISO_8859_1)).isEqualTo("%PDF-");
    assertThat(account.file("/invoices/" + last + "/document?format=pdf", "application/pdf"))
        .isEqualTo(pdf);
    assertThat(account.get("/invoices/" + last + "/document?format=doc").status()).isEqualTo(400);
    assertThat(account.get("/invoices/1999-01/focus").status()).isEqualTo(404);
  }

  @Test
  void costsAreRefusedByField() {
    TestingBrowser founder = new Account("refused").founder;
    for (String query :
        List.of(
            "start_date=2026-11-02&end_date=2026-11-02",
            "start_date=2026-01-01&end_date=2026-03-01",
            "start_date=2026-11-01",
            "start_date=2026-11-01&end_date=2026-11-02&page_size=0",
            "start_date=2026-11-01&end_date=2026-11-02&page_token=x")) {
      Answer answer = founder.call("GET", "/billing/v1/costs?" + query, null);
      assertThat(answer.status()).as(query).isEqualTo(400);
      assertThat(answer.body().path("errors").get(0).path("detail").asString()).isNotEmpty();
    }
  }

  private List<String> told(Account account, String integration) {
    List<String> types = new ArrayList<>();
    account
        .get("/environments/env-a/integrations/" + integration + "/deliveries")
        .body()
        .path("data")
        .forEach(delivery -> types.add(delivery.path("type").asString()));
    return types.stream().sorted().toList();
  }

  @Test
  void aBudgetIsToldOnceAndLowersTheQuota() {
    Account account = new Account("budget");
    assertThat(
            account
                .change("POST", "/environments", "{\"id\":\"env-a\",\"display_name\":\"A\"}")
                .status())
        .isEqualTo(201);
    String integration =
        account
            .change(
                "POST",
                "/environments/env-a/integrations",
                TestingAlerts.INTEGRATION.replace("}", ",\"send_test\":false}"))
            .body()
            .path("integration")
            .path("id")
            .asString();
    String budget =
        "{\"amount\":\"%s\",\"points_per_second\":7,\"integration_ids\":[\"" + integration + "\"]}";
    String tag = account.get("/spending-budget").header("ETag");
    Answer unknown =
        account.change(
            "PUT",
            "/spending-budget",
            budget.formatted("200").replace(integration, "int-nobody"),
            "If-Match",
            tag);
    assertThat(unknown.status()).isEqualTo(400);
    assertThat(unknown.body().toString()).contains("integration_ids");
    Answer set =
        account.change("PUT", "/spending-budget", budget.formatted("200"), "If-Match", tag);
    assertThat(set.status()).as("%s", set.body()).isEqualTo(200);
    assertThat(
            account
                .change("PUT", "/spending-budget", budget.formatted("9"), "If-Match", tag)
                .status())
        .isEqualTo(412);

    SpendingWatcher watcher = platform.bean(SpendingWatcher.class);
    watcher.watch();
    assertThat(told(account, integration)).isEmpty();
    // 990 million at 0.15.
    account.use(running.start(), "lkc-1", 1_000 * MILLION);
    watcher.watch();
    watcher.watch();
    assertThat(told(account, integration)).containsExactly("budget.threshold_reached");
    account.use(running.start(), "lkc-1", 1_000 * MILLION);
    watcher.watch();
    assertThat(told(account, integration)).hasSize(3);
    Answer spent = account.get("/spending-budget");
    assertThat(spent.body().path("reached").size()).isEqualTo(3);
    assertThat(spent.body().path("quota_lowered_to").asLong()).isEqualTo(7);
    assertThat(pointsPerSecond(account)).isEqualTo(7);

    account.change("PUT", "/spending-budget", budget.formatted("9000"), "If-Match", "*");
    assertThat(pointsPerSecond(account)).as("given back").isGreaterThan(7);
    assertThat(account.get("/spending-budget").body().has("quota_lowered_to")).isFalse();

    account.use(last.start(), "lkc-1", MILLION);
    account.close(last);
    assertThat(told(account, integration)).hasSize(4).contains("invoice.closed");
  }

  private static long pointsPerSecond(Account account) {
    return account.get("/quotas").body().path("in_force").path("points_per_second").asLong();
  }

  @Test
  void whatIfSaysWhatAMonthWouldCostAndWhoWouldMissIt() {
    Account account = new Account("whatif");
    assertThat(
            account
                .change("POST", "/environments", "{\"id\":\"env-a\",\"display_name\":\"A\"}")
                .status())
        .isEqualTo(201);
    account.use(last.start(), "lkc-1", 110 * MILLION);
    assertThat(
            account
                .change(
                    "POST",
                    "/environments/env-a/alert-rules",
                    TestingAlerts.RULE.replace("\"metric\":\"queue\"", "\"metric\":\"cpu\""))
                .status())
        .isEqualTo(201);

    Answer answer =
        account.change(
            "POST", "/usage/what-if", "{\"metrics\":[{\"metric\":\"cpu\",\"keep_percent\":50}]}");

    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
    assertThat(answer.body().path("current").path("subtotal").asString()).isEqualTo("15.00");
    assertThat(answer.body().path("preview").path("subtotal").asString()).isEqualTo("6.75");
    assertThat(answer.body().path("difference").asString()).isEqualTo("-8.25");
    assertThat(answer.body().path("affected_rules").get(0).path("metric").asString())
        .isEqualTo("cpu");
    Answer unpriced =
        account.change(
            "POST",
            "/usage/what-if",
            "{\"metrics\":[],\"series\":[{\"metric\":\"cpu\",\"keep_percent\":10}],"
                + "\"storage\":[{\"level\":\"rollup_1m\",\"keep_percent\":50}],"
                + "\"series_budgets\":[{\"environment_id\":\"env-a\",\"series\":1}]}");
    assertThat(unpriced.body().path("difference").asString())
        .as("this plan prices no series: %s", unpriced.body())
        .isEqualTo("0.00");
    assertThat(unpriced.body().path("affected_rules").size()).isEqualTo(1);
    assertThat(
            account
                .change(
                    "POST",
                    "/usage/what-if",
                    "{\"metrics\":[{\"metric\":\"cpu\",\"keep_percent\":101}]}")
                .status())
        .isEqualTo(400);
  }

  @Test
  void whoRunsTidemarkSeesEveryBillAndNobodyElse() {
    Account account = new Account("bills");
    account.use(last.start(), "lkc-1", 9_000_000 * MILLION);
    assertThat(account.get("/tenant-bills").code()).isEqualTo("forbidden");

    ControlApi operator = new ControlApi(platform, "org-self", RunningPlatform.SELF_KEY);
    JsonNode bill = operator.get("/tenant-bills?limit=1&period=" + last).body().path("data").get(0);

    assertThat(bill.path("organization_id").asString()).isEqualTo(account.organization.value());
    assertThat(bill.path("points").asString()).isEqualTo("9000000000000");
    assertThat(bill.path("cost").asString()).isEqualTo("90000");
    assertThat(bill.path("costs").get(0).path("meter").asString()).isEqualTo("points");
    assertThat(bill.path("costs").get(0).path("quantity").asString()).isEqualTo("9000000000000");
    assertThat(
            new BigDecimal(bill.path("margin").asString())
                .add(new BigDecimal(bill.path("cost").asString())))
        .isEqualByComparingTo(bill.path("charged").asString());
    assertThat(bill.path("charged").asString())
        .isEqualTo(account.get("/invoices/" + last).body().path("subtotal").asString());
    assertThat(bill.path("by_plan").size()).isEqualTo(3);
  }

  @Test
  void creditsPayMonthsInTheirOrderAndStayProvable() {
    Account account = new Account("credits");
    for (BillingPeriod period : List.of(last, running)) {
      account.use(period.start(), "lkc-1", 1_010 * MILLION);
    }
    Credits credits = platform.bean(Credits.class);
    Credit draft =
        new Credit(
            "",
            Credit.Kind.PREPAID,
            new BigDecimal("200.00"),
            "EUR",
            "Commitment",
            last.firstDay(),
            null);
    credits.grant(account.organization, Actor.system("test"), "once", draft);
    credits.grant(account.organization, Actor.system("test"), "once", draft);
    account.close(last);

    assertThat(account.get("/invoices/" + last).body().path("total").asString()).isEqualTo("0.00");
    JsonNode credit = account.get("/credits").body().path("data");
    assertThat(credit.size()).isEqualTo(1);
    assertThat(credit.get(0).path("remaining").asString()).isEqualTo("50");
    assertThat(account.get("/invoices/" + running).body().path("total").asString())
        .isEqualTo("100.00");
    assertThat(sum(account.costs(last, 5_000))).isEqualByComparingTo("0");
    assertThat(account.faults()).isEmpty();
    // A credit that is granted later changes no closed invoice.
    credits.grant(
        account.organization,
        Actor.system("test"),
        "later",
        new Credit(
            "", Credit.Kind.PROMOTIONAL, BigDecimal.TEN, "EUR", "Later", last.firstDay(), null));
    assertThat(account.faults()).isEmpty();
    assertThat(account.get("/invoices/" + running).body().path("total").asString())
        .isEqualTo("90.00");
    assertThat(
            account
                .change(
                    "POST",
                    "/credits",
                    "{\"kind\":\"prepaid\",\"amount\":\"5\",\"currency\":\"EUR\","
                        + "\"description\":\"Own\",\"valid_from\":\"2026-01-01\"}")
                .code())
        .as("a tenant grants itself nothing")
        .isEqualTo("forbidden");
  }

  /** What somebody with the rights of the database's superuser can do. */
  private void tamper(String table, String sql) {
    platform.database().sql("ALTER TABLE " + table + " DISABLE TRIGGER USER").update();
    platform.database().sql(sql).update();
    platform.database().sql("ALTER TABLE " + table + " ENABLE TRIGGER USER").update();
  }

  /** Controls of the proof itself: each does what must never happen, and one fault names it. */
  @Test
  void aDroppedADoubledAndAnEditedEntryAndAPriceOfThePastAreEachNamed() {
    Account account = new Account("controls");
    for (int day = 0; day < 3; day++) {
      account.use(last.start().plus(day, ChronoUnit.DAYS), "lkc-1", 11 * MILLION);
    }
    account.close(last);
    assertThat(account.faults()).isEmpty();
    String own = " organization_id = '" + account.organization.value() + "'";
    JdbcClient database = platform.database();

    database
        .sql("CREATE TABLE control_of_a_test AS SELECT * FROM usage_entry WHERE" + own)
        .update();
    String put = "INSERT INTO usage_entry SELECT * FROM control_of_a_test WHERE sequence = ";
    try {
      tamper("usage_entry", "DELETE FROM usage_entry WHERE sequence = 2 AND" + own);
      assertThat(account.faults())
          .as("one usage record is dropped")
          .anySatisfy(fault -> assertThat(fault).isEqualTo("Entries between 1 and 3 are missing."))
          .anySatisfy(fault -> assertThat(fault).startsWith("Invoice " + last + ", line points"));
      tamper("usage_entry", put + 2);
      assertThat(account.faults()).isEmpty();

      database
          .sql(
              "UPDATE control_of_a_test SET sequence = 4,"
                  + " record_id = decode(repeat('ab', 32), 'hex') WHERE sequence = 2")
          .update();
      tamper("usage_entry", put + 4);
      assertThat(account.faults())
          .as("one usage record is doubled")
          .anySatisfy(
              fault -> assertThat(fault).isEqualTo("Entry 4 does not follow the entry before it."))
          .anySatisfy(fault -> assertThat(fault).startsWith("Entry 4 (points of cpu in "));
      tamper("usage_entry", "DELETE FROM usage_entry WHERE sequence = 4 AND" + own);
      assertThat(account.faults()).isEmpty();
    } finally {
      database.sql("DROP TABLE control_of_a_test").update();
    }

    tamper("usage_entry", "UPDATE usage_entry SET units = units - 1 WHERE sequence = 3 AND" + own);
    assertThat(account.faults())
        .as("one entry is edited")
        .anySatisfy(
            fault ->
                assertThat(fault)
                    .isEqualTo(
                        "Entry 3 (points of cpu in "
                            + last.start().plus(2, ChronoUnit.DAYS)
                            + ") was changed: its hash does not fit it."));
    tamper("usage_entry", "UPDATE usage_entry SET units = units + 1 WHERE sequence = 3 AND" + own);

    tamper(
        "plan_version",
        """
        INSERT INTO plan_version (organization_id, version, effective_from, plan, chosen_at)
        SELECT '%s', 1000, '%s',
          '{"name":"x","currency":"EUR","base_fee":"0","minimum":"0","discount_percent":"0",'
          '"tax":{"name":"VAT","rate_percent":"0"},"charges":[{"meter":"points","per":"1000000",'
          '"included":"0","mode":"GRADUATED","tiers":[{"price":"9","flat":"0"}]}]}', now()
        """
            .formatted(account.organization.value(), last.firstDay()));
    assertThat(account.faults())
        .as("one price is changed for a month that is closed")
        .anySatisfy(
            fault -> assertThat(fault).contains("line points", "but ledger and plan give 297.00"));
    tamper("plan_version", "DELETE FROM plan_version WHERE version = 1000 AND" + own);
    assertThat(account.faults()).isEmpty();
  }

  /**
   * Two processes are given the same records, as when Kafka gives a partition to another while the
   * first still writes, and both close the month meanwhile.
   */
  @Test
  void aMonthClosesOnceInTheMiddleOfRecordsOfTwoProcesses() throws Exception {
    int all = 200;
    int late = 20;
    Account account = new Account("midst");
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
            workers.submit(() -> process.bean(Invoices.class).close(account.organization, last)));
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
                              .get(account.organization, last.toString())
                              .hash())
                      .isEqualTo(issued.path("hash").asString()));
      everyRecordIsBilledOnce(account, issued, all, late);
    } finally {
      workers.shutdownNow();
    }
    assertThat(account.faults()).isEmpty();
  }

  /** Leaves alone what other tests of the same platform have not closed. */
  private PeriodCloser closerOf(List<Account> accounts) {
    CrossTenantInvoices due =
        new CrossTenantInvoices(platform.bean(JdbcClient.class)) {
          @Override
          List<Due> before(BillingPeriod open) {
            return accounts.stream().map(account -> new Due(account.organization, last)).toList();
          }
        };
    return new PeriodCloser(
        due,
        platform.bean(Invoices.class),
        platform.bean(BillingProperties.class),
        platform.bean(Clock.class));
  }

  /** Somebody holds the ledgers of more organisations than are closed at a time. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void thoseThatCannotCloseYetKeepNoOtherWaiting() throws Exception {
    List<Account> held = due("held-", 5);
    List<Account> others = due("beside-", 6);
    List<Account> accounts = new ArrayList<>(held);
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
              "text", held.stream().map(account -> account.organization.value()).toArray()));
      lock.execute();
      assertThat(closerOf(accounts).closeDue()).isEqualTo(others.size());
      assertThat(others).allMatch(account -> state(account).equals("closed"));
      assertThat(held).allMatch(account -> state(account).equals("draft"));
    }
    assertThat(closerOf(accounts).closeDue()).isEqualTo(held.size());
    assertThat(held).allMatch(account -> state(account).equals("closed"));
  }

  private List<Account> due(String name, int count) throws Exception {
    List<Account> accounts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Account account = new Account(name + i);
      account.use(last.start(), "lkc-1", MILLION);
      accounts.add(account);
    }
    return accounts;
  }

  private String state(Account account) {
    return account.get("/invoices/" + last).body().path("state").asString();
  }

  private void everyRecordIsBilledOnce(Account account, JsonNode issued, int all, int late) {
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

  private BigDecimal units(String sql, Account account, BillingPeriod month) {
    return platform
        .database()
        .sql(sql)
        .param("organization", account.organization.value())
        .param("month", month.firstDay())
        .query(BigDecimal.class)
        .single();
  }

  /** Whoever asks for what cannot be is told which field; what was used is billed all the same. */
  @Test
  void badInputIsRefusedByFieldOrCarriedToAnAdjustment() {
    Account account = new Account("bad-input");
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
            .param("organization", account.organization.value())
            .query(String.class)
            .list();
    assertThat(reasons).containsExactly("PERIOD_CLOSED", "CLOCK_AHEAD");
    assertThat(account.faults()).isEmpty();
  }

  private static void refused(
      Account account, String method, String path, String body, String field) {
    Answer answer =
        method.equals("PUT")
            ? account.change(method, path, body, "If-Match", "*")
            : account.change(method, path, body);
    assertThat(answer.status()).as("%s: %s", body, answer.body()).isEqualTo(400);
    assertThat(answer.body().toString()).as("%s", body).contains(field);
  }
}
