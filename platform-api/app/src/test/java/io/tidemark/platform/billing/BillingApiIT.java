package io.tidemark.platform.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.RunningPlatform;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The usage ledger and invoices on a real PostgreSQL, read over HTTP. */
@ExtendWith(RunningPlatform.Extension.class)
class BillingApiIT {

  private static final TenantId DEMO = new TenantId("org-demo");
  private static final AtomicLong RECORDS = new AtomicLong();

  private final RunningPlatform platform;
  private final ControlApi demo;
  private final UsageLedger ledger;
  private final JdbcClient database;
  private final BillingPeriod running;
  private final BillingPeriod last;

  BillingApiIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
    this.ledger = platform.bean(UsageLedger.class);
    this.database = platform.database();
    this.last = TestingAccount.lastMonth(platform);
    this.running = last.next();
  }

  private static MeteredRecord record(
      TenantId organization, long number, Instant hour, String metric, long points) {
    return new MeteredRecord(
        organization,
        "%064x".formatted(number),
        "env-demo",
        "service",
        "shop",
        metric,
        hour,
        1,
        Map.of("points", BigDecimal.valueOf(points), "bytes", BigDecimal.valueOf(points * 80)),
        hour.plusSeconds(3_610),
        0,
        number);
  }

  private static MeteredRecord used(Instant hour, String metric, long points) {
    return record(DEMO, RECORDS.incrementAndGet(), hour, metric, points);
  }

  private String amount(Answer invoice, String line) {
    for (var one : invoice.body().path("lines")) {
      if (one.path("id").asString().equals(line)) {
        return one.path("amount").asString();
      }
    }
    return "no line " + line + " in " + invoice.body();
  }

  private List<String> faults() {
    Answer answer = demo.get("/usage/verification");
    assertThat(answer.status()).isEqualTo(200);
    List<String> faults = new java.util.ArrayList<>();
    answer.body().path("faults").forEach(fault -> faults.add(fault.asString()));
    assertThat(answer.body().path("intact").asBoolean()).isEqualTo(faults.isEmpty());
    return faults;
  }

  /** What somebody with the rights of the database's superuser can do. */
  private void tamper(String table, String sql) {
    database.sql("ALTER TABLE " + table + " DISABLE TRIGGER USER").update();
    database.sql(sql).update();
    database.sql("ALTER TABLE " + table + " ENABLE TRIGGER USER").update();
  }

  /** One organisation from its first use to a closed month, late use and tampering. */
  @Test
  void aMonthIsPricedClosedAndKeptAndWhatChangesItIsNamed() {
    // Of other tests.
    tamper("usage_conflict", "DELETE FROM usage_conflict WHERE organization_id = 'org-demo'");
    Instant day = last.start().plus(10, ChronoUnit.DAYS);
    List<MeteredRecord> month =
        List.of(
            used(day, "cpu", 8_000_000),
            used(day.plus(1, ChronoUnit.HOURS), "cpu", 3_000_000),
            used(day.plus(1, ChronoUnit.HOURS), "memory", 1_000_000));
    ledger.record(month);
    // Kafka gives records again after a failure.
    ledger.record(month);

    Answer draft = demo.get("/invoices/" + last);
    assertThat(draft.status()).isEqualTo(200);
    assertThat(draft.body().path("state").asString()).isEqualTo("draft");
    assertThat(amount(draft, "points")).as("two million over the included ten").isEqualTo("0.30");
    assertThat(draft.body().path("currency").asString()).isEqualTo("EUR");
    drillDown(day);

    assertThat(platform.bean(PeriodCloser.class).closeDue()).isGreaterThanOrEqualTo(1);
    assertThat(platform.bean(PeriodCloser.class).closeDue()).as("once").isZero();
    Answer closed = demo.get("/invoices/" + last);
    assertThat(closed.body().path("state").asString()).isEqualTo("closed");
    assertThat(closed.body().path("number").asString()).isEqualTo("org-demo-" + last);
    assertThat(amount(closed, "points")).isEqualTo("0.30");
    assertThat(faults()).isEmpty();

    // Late, in the closed month: an adjustment of the running one, at the price of then.
    ledger.record(List.of(used(day, "cpu", 1_000_000)));
    Answer after = demo.get("/invoices/" + running);
    assertThat(amount(after, "adjustment-" + last + "-points")).isEqualTo("0.15");
    assertThat(demo.get("/invoices/" + last).body()).isEqualTo(closed.body());
    assertThat(faults()).isEmpty();

    // A clock that ran ahead by a year is billed now.
    BigDecimal before = runningPoints();
    MeteredRecord ahead = used(running.start(), "cpu", 7);
    ledger.record(
        List.of(
            new MeteredRecord(
                DEMO,
                ahead.recordId(),
                "env-demo",
                "service",
                "shop",
                "cpu",
                running.start().plus(365, ChronoUnit.DAYS),
                1,
                ahead.quantities(),
                running.start().plus(1, ChronoUnit.HOURS),
                0,
                5)));
    assertThat(runningPoints().subtract(before)).isEqualByComparingTo("7");

    tampering(month.get(0), day);
  }

  private BigDecimal runningPoints() {
    return demo.get("/invoices/" + running)
        .body()
        .path("lines")
        .valueStream()
        .filter(line -> line.path("id").asString().equals("points"))
        .map(line -> new BigDecimal(line.path("quantity").asString()))
        .findFirst()
        .orElseThrow();
  }

  private void drillDown(Instant day) {
    String span = "?from=" + last.start() + "&to=" + last.end();
    Answer metrics = demo.get("/usage" + span + "&by=metric");
    assertThat(metrics.body().path("total").asString()).isEqualTo("12000000");
    assertThat(
            metrics
                .body()
                .path("data")
                .valueStream()
                .map(one -> one.path("metric").asString() + " " + one.path("quantity").asString()))
        .containsExactly("cpu 11000000", "memory 1000000");
    Answer first = demo.get("/usage" + span + "&by=metric&limit=1");
    Answer second =
        demo.get(
            "/usage"
                + span
                + "&by=metric&limit=1&cursor="
                + first.body().path("meta").path("next_cursor").asString());
    assertThat(second.body().path("data").get(0).path("metric").asString()).isEqualTo("memory");
    assertThat(second.body().path("meta").has("next_cursor")).isFalse();
    Answer hours = demo.get("/usage" + span + "&by=hour&metric=cpu");
    assertThat(hours.body().path("data").size()).isEqualTo(2);
    assertThat(Instant.parse(hours.body().path("data").get(0).path("start").asString()))
        .isEqualTo(day);
    assertThat(demo.get("/usage" + span + "&by=day").body().path("data").size()).isEqualTo(1);
    assertThat(demo.get("/usage?meter=series").status()).isEqualTo(400);
    assertThat(demo.get("/usage/receipts?environment_id=env-demo&hour=" + day).status())
        .isEqualTo(200);
  }

  private void tampering(MeteredRecord known, Instant day) {
    // A record that comes again with another quantity.
    ledger.record(
        List.of(record(DEMO, known.sourceOffset(), known.hour(), known.metric(), 8_000_001)));
    assertThat(faults())
        .anySatisfy(
            fault ->
                assertThat(fault).contains(known.recordId(), "8000001 instead of 8000000 points"));
    tamper("usage_conflict", "DELETE FROM usage_conflict WHERE organization_id = 'org-demo'");

    String place = " WHERE organization_id = 'org-demo' AND metric = 'memory' AND meter = 'points'";
    assertThatThrownBy(() -> database.sql("UPDATE usage_entry SET units = 1" + place).update())
        .rootCause()
        .hasMessageContaining("never changed or removed");
    tamper("usage_entry", "UPDATE usage_entry SET units = 400000" + place);
    assertThat(faults())
        .anySatisfy(fault -> assertThat(fault).contains("points of memory").contains("was changed"))
        .anySatisfy(
            fault ->
                assertThat(fault).startsWith("Invoice " + last + ", line points: issued 0.30"));
    tamper("usage_entry", "UPDATE usage_entry SET units = 1000000" + place);
    assertThat(faults()).isEmpty();

    // A price is changed retroactively.
    tamper(
        "plan_version",
        """
        INSERT INTO plan_version (organization_id, version, effective_from, plan, chosen_at)
        SELECT 'org-demo', 1000, '%s',
          '{"name":"x","currency":"EUR","base_fee":"0","minimum":"0","discount_percent":"0",'
          '"tax":{"name":"VAT","rate_percent":"0"},"charges":[{"meter":"points","per":"1000000",'
          '"included":"0","mode":"GRADUATED","tiers":[{"price":"9","flat":"0"}]}]}', now()
        """
            .formatted(last.firstDay()));
    assertThat(faults())
        .anySatisfy(
            fault ->
                assertThat(fault)
                    .contains("line points: issued 0.30, but ledger and plan give 108.00"));
    tamper("plan_version", "DELETE FROM plan_version WHERE version = 1000");

    String closedOne =
        " WHERE organization_id = 'org-demo' AND month = '%s'".formatted(last.firstDay());
    tamper(
        "invoice", "UPDATE invoice SET document = replace(document, '0.30', '0.03')" + closedOne);
    assertThat(faults())
        .containsExactly("Invoice " + last + " was changed: its hash does not fit it.");
    tamper(
        "invoice", "UPDATE invoice SET document = replace(document, '0.03', '0.30')" + closedOne);
    assertThat(faults()).isEmpty();
    assertThat(day).isBefore(last.end());
  }

  @Test
  void aPlanIsChosenWithItsVersionAndRefusedByField() {
    ControlApi self = new ControlApi(platform, "org-self", RunningPlatform.SELF_KEY);
    Answer before = self.get("/plan");
    assertThat(before.body().path("current").path("name").asString()).isEqualTo("standard");
    String tag = before.header("ETag");
    assertThat(self.call("PUT", "/plan", "{\"plan\":\"committed\"}").status()).isEqualTo(428);
    assertThat(self.call("PUT", "/plan", "{\"plan\":\"none\"}", "If-Match", tag).status())
        .isEqualTo(400);
    String yesterday =
        LocalDate.ofInstant(platform.bean(Clock.class).instant(), ZoneOffset.UTC)
            .minusDays(1)
            .toString();
    Answer late =
        self.call(
            "PUT",
            "/plan",
            "{\"plan\":\"committed\",\"effective_from\":\"" + yesterday + "\"}",
            "If-Match",
            tag);
    assertThat(late.status()).isEqualTo(400);
    assertThat(late.body().toString()).contains("effective_from");
    Answer chosen = self.call("PUT", "/plan", "{\"plan\":\"committed\"}", "If-Match", tag);
    assertThat(chosen.status()).isEqualTo(200);
    assertThat(chosen.header("ETag")).isNotEqualTo(tag);
    assertThat(chosen.body().path("current").path("name").asString()).isEqualTo("committed");
    assertThat(self.call("PUT", "/plan", "{\"plan\":\"standard\"}", "If-Match", tag).status())
        .isEqualTo(412);
    String own =
        "{\"custom\":{\"name\":\"own\",\"currency\":\"EUR\",\"charges\":[{\"meter\":\"points\","
            + "\"per\":\"1000\",\"tiers\":[{\"up_to\":\"5\",\"price\":\"0.1\"}]}]}}";
    Answer gap = self.call("PUT", "/plan", own, "If-Match", "*");
    assertThat(gap.status()).isEqualTo(400);
    assertThat(gap.body().toString()).contains("charges[0].tiers[0].up_to leaves a gap");
    assertThat(
            demo.call("PUT", "/plan", own.replace("\"up_to\":\"5\",", ""), "If-Match", "*").code())
        .as("a tenant sets no prices of its own")
        .isEqualTo("forbidden");
    Answer preview =
        demo.post("/plan/preview", "{\"plan\":\"committed\",\"period\":\"" + running + "\"}");
    assertThat(preview.status()).as("%s", preview.body()).isEqualTo(200);
    assertThat(preview.body().path("preview").path("lines").size()).isGreaterThan(2);
  }

  @Test
  void everyHourIsReconciledAndADroppedRecordIsNamed() throws Exception {
    TestingAccount account = new TestingAccount(platform, "reconciled");
    assertThat(
            account
                .change("POST", "/environments", "{\"id\":\"env-a\",\"display_name\":\"A\"}")
                .status())
        .isEqualTo(201);
    Instant hour =
        platform
            .bean(Clock.class)
            .instant()
            .truncatedTo(ChronoUnit.HOURS)
            .minus(3, ChronoUnit.HOURS);
    platform
        .bean(io.tidemark.platform.receipts.ReceiptRecorder.class)
        .record(
            List.of(
                copy(account, "a1", 1, hour.plusSeconds(5)),
                copy(account, "a1", 2, hour.plusSeconds(9)),
                copy(account, "a2", 3, hour.plusSeconds(70))),
            List.of());
    account.use(hour, "reconciled", 12);
    String span = "/reconciliation?from=" + hour + "&to=" + hour.plusSeconds(3_600);

    Answer short8 = account.get(span);
    assertThat(short8.body().path("agrees").asBoolean()).isFalse();
    assertThat(short8.body().path("differences").get(0).asString())
        .contains(hour.toString(), "env-a", "20 points acknowledged", "8 too few");

    account.use(hour, "reconciled", 8);
    Answer agreed = account.get(span);
    assertThat(agreed.body().path("agrees").asBoolean()).as("%s", agreed.body()).isTrue();
    assertThat(agreed.body().path("hours").get(0).path("state").asString()).isEqualTo("agrees");
    account.use(hour, "doubled", 20);
    assertThat(account.get(span).body().path("differences").get(0).asString())
        .contains(hour.toString(), "20 points acknowledged", "20 too many");
    watchesByItself(account, hour, span);
    statesWhatItFound(account, span);
    Answer batches = account.get("/usage/receipts?environment_id=env-a&hour=" + hour);
    assertThat(batches.body().path("data").size()).isEqualTo(4);
    assertThat(batches.body().path("data").get(0).path("billed_points").asLong()).isEqualTo(10);
  }

  /** Two processes look at once; what was under way the first time is not told. */
  private void watchesByItself(TestingAccount account, Instant hour, String span) throws Exception {
    ReconciliationWatcher watcher = platform.bean(ReconciliationWatcher.class);
    database
        .sql("UPDATE organization SET created_at = :time WHERE id = :id")
        .param("id", account.organization().value())
        .param("time", hour.plusSeconds(4).atOffset(ZoneOffset.UTC))
        .update();
    watcher.watch(account.organization());
    assertThat(told(account, hour)).isEqualTo("untold");
    assertThat(firstReconciled(account))
        .as("not the hours before there was a customer")
        .isEqualTo(hour);
    Thread other = new Thread(() -> watcher.watch(account.organization()));
    other.start();
    watcher.watch(account.organization());
    other.join();
    watcher.watch(account.organization());
    assertThat(told(account, hour)).isEqualTo("told");
    Answer differs = account.get(span);
    assertThat(differs.body().path("checks").get(0).path("agrees").asBoolean()).isFalse();
    assertThat(differs.body().path("found").get(0).path("stage").asString()).isEqualTo("metered");
    assertThat(differs.body().path("found").get(0).path("repairable").asBoolean()).isFalse();

    platform
        .bean(io.tidemark.platform.receipts.ReceiptRecorder.class)
        .record(
            List.of(
                copy(account, "b1", 11, hour.plusSeconds(80)),
                copy(account, "b2", 12, hour.plusSeconds(81))),
            List.of());
    watcher.watch(account.organization());
    assertThat(told(account, hour)).isEqualTo("mended");
    Answer agreed = account.get(span);
    assertThat(agreed.body().path("agrees").asBoolean()).as("%s", agreed.body()).isTrue();
    assertThat(agreed.body().path("checks").get(0).path("agrees").asBoolean()).isTrue();
  }

  private Instant firstReconciled(TestingAccount account) {
    return database
        .sql("SELECT min(hour) FROM reconciled_hour WHERE organization_id = :id")
        .param("id", account.organization().value())
        .query((row, number) -> row.getObject(1, OffsetDateTime.class).toInstant())
        .single();
  }

  private String told(TestingAccount account, Instant hour) {
    return database
        .sql(
            """
            SELECT CASE WHEN mended_at IS NOT NULL THEN 'mended' WHEN told_at IS NOT NULL
              THEN 'told' ELSE 'untold' END
            FROM reconciliation_difference
            WHERE organization_id = :id AND hour = :hour AND stage = 'metered'
            """)
        .param("id", account.organization().value())
        .param("hour", hour.atOffset(ZoneOffset.UTC))
        .query(String.class)
        .single();
  }

  private void statesWhatItFound(TestingAccount account, String span) throws Exception {
    Answer stated = account.get(span.replace("/reconciliation", "/reconciliation/statement"));
    assertThat(stated.status()).as("%s", stated.body()).isEqualTo(200);
    String text = stated.body().path("text").asString();
    assertThat(text).contains("\"agrees\":true", "\"ledger_hash\":\"", "\"metered\":\"40\"");
    assertThat(isSigned(text, stated)).isTrue();
    assertThat(isSigned(text.replace("\"40\"", "\"41\""), stated)).isFalse();
  }

  private static boolean isSigned(String text, Answer stated) throws Exception {
    java.util.Base64.Decoder base64 = java.util.Base64.getDecoder();
    java.security.Signature signature = java.security.Signature.getInstance("Ed25519");
    signature.initVerify(
        java.security.KeyFactory.getInstance("Ed25519")
            .generatePublic(
                new java.security.spec.X509EncodedKeySpec(
                    base64.decode(stated.body().path("public_key").asString()))));
    signature.update(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    return signature.verify(base64.decode(stated.body().path("signature").asString()));
  }

  private static io.tidemark.platform.receipts.BatchCopy copy(
      TestingAccount account, String digits, long offset, Instant at) {
    return new io.tidemark.platform.receipts.BatchCopy(
        account.organization(),
        new io.tidemark.platform.shared.EnvironmentId("env-a"),
        digits.repeat(32),
        null,
        7,
        offset,
        at,
        10,
        Map.of());
  }
}
