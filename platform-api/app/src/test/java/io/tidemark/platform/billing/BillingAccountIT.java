package io.tidemark.platform.billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.billing.domain.Credit;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingAlerts;
import io.tidemark.platform.testing.TestingBrowser;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Costs, documents, budgets and credits of organisations that belong to one test each. */
@ExtendWith(RunningPlatform.Extension.class)
class BillingAccountIT {

  private static final long MILLION = 1_000_000;

  private final RunningPlatform platform;
  private final BillingPeriod running;
  private final BillingPeriod last;

  BillingAccountIT(RunningPlatform platform) {
    this.platform = platform;
    this.last = TestingAccount.lastMonth(platform);
    this.running = last.next();
  }

  private static BigDecimal sum(List<JsonNode> costs) {
    return costs.stream()
        .map(cost -> new BigDecimal(cost.path("amount").asString()))
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  @Test
  void costsFilesAndTheInvoiceAgree() {
    TestingAccount account = new TestingAccount(platform, "costs");
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
    TestingBrowser founder = new TestingAccount(platform, "refused").founder();
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

  private List<String> told(TestingAccount account, String integration) {
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
    TestingAccount account = new TestingAccount(platform, "budget");
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

  private static long pointsPerSecond(TestingAccount account) {
    return account.get("/quotas").body().path("in_force").path("points_per_second").asLong();
  }

  @Test
  void whatIfSaysWhatAMonthWouldCostAndWhoWouldMissIt() {
    TestingAccount account = new TestingAccount(platform, "whatif");
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
    TestingAccount account = new TestingAccount(platform, "bills");
    account.use(last.start(), "lkc-1", 9_000_000 * MILLION);
    assertThat(account.get("/tenant-bills").code()).isEqualTo("forbidden");

    ControlApi operator = new ControlApi(platform, "org-self", RunningPlatform.SELF_KEY);
    JsonNode bill = operator.get("/tenant-bills?limit=1&period=" + last).body().path("data").get(0);

    assertThat(bill.path("organization_id").asString()).isEqualTo(account.organization().value());
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
    TestingAccount account = new TestingAccount(platform, "credits");
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
    credits.grant(account.organization(), Actor.system("test"), "once", draft);
    credits.grant(account.organization(), Actor.system("test"), "once", draft);
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
        account.organization(),
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
}
