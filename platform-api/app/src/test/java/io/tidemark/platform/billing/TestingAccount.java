package io.tidemark.platform.billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingBrowser;
import io.tidemark.platform.testing.TestingPeople;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/** A new organisation as its founder sees it; what it uses is in the ledger. */
final class TestingAccount {

  private static final AtomicLong RECORDS = new AtomicLong(1_000_000);

  private final RunningPlatform platform;
  private final TestingBrowser founder;
  private final TenantId organization;

  TestingAccount(RunningPlatform platform, String name) {
    this.platform = platform;
    founder = TestingPeople.signedIn(platform, name + "@example.org");
    Answer made =
        founder.change("POST", "/api/v1/organizations", "{\"display_name\":\"Łódź Telemetry\"}");
    assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    organization = new TenantId(made.body().path("id").asString());
  }

  /** The last month; waits, in the first minutes of a month, until that can be closed. */
  static BillingPeriod lastMonth(RunningPlatform platform) {
    Clock clock = platform.bean(Clock.class);
    BillingPeriod last = BillingPeriod.at(clock.instant()).previous();
    Instant closable = last.end().plus(RunningPlatform.CLOSING_DELAY);
    Awaitility.await("the end of " + last)
        .atMost(RunningPlatform.CLOSING_DELAY.plusSeconds(1))
        .until(() -> !clock.instant().isBefore(closable));
    return last;
  }

  TestingBrowser founder() {
    return founder;
  }

  TenantId organization() {
    return organization;
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

  byte[] file(String path, String type) {
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
