package io.tidemark.platform.shared.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.billing.Credits;
import io.tidemark.platform.billing.Invoices;
import io.tidemark.platform.billing.MeteredRecord;
import io.tidemark.platform.billing.Plans;
import io.tidemark.platform.billing.SpendingBudgets;
import io.tidemark.platform.billing.UsageLedger;
import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.billing.domain.Credit;
import io.tidemark.platform.billing.domain.SpendingBudget;
import io.tidemark.platform.catalog.SightingRecorder;
import io.tidemark.platform.catalog.Sightings;
import io.tidemark.platform.receipts.BatchCopy;
import io.tidemark.platform.receipts.DeadLetterRef;
import io.tidemark.platform.receipts.ReceiptRecorder;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ExpectedVersion;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TenantTables;
import io.tidemark.platform.testing.TenantTables.TenantTable;
import io.tidemark.platform.testing.TestingAlerts;
import io.tidemark.platform.testing.TestingPeople;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Walks every table with the application's own database role, as the wrong organisation and without
 * one. The rows are those of {@code org-demo} and {@code org-self}, which exist from the start.
 */
@ExtendWith(RunningPlatform.Extension.class)
class RowLevelSecurityIT {

  private static final TenantId DEMO = new TenantId("org-demo");
  private static final TenantId SELF = new TenantId("org-self");

  private final JdbcClient superuser;
  private final JdbcClient application;
  private final TenantTransactions transactions;
  private final List<TenantTable> tables;

  RowLevelSecurityIT(RunningPlatform platform) {
    this.superuser = platform.database();
    this.application = platform.bean(JdbcClient.class);
    this.transactions = platform.bean(TenantTransactions.class);
    this.tables = TenantTables.all(superuser);
    fillEveryTable(platform);
  }

  /** No deletion of another test waits for it. */
  @AfterEach
  void theRegionIsGivenUp() {
    superuser.sql("DELETE FROM processes.region WHERE name = 'walk'").update();
  }

  /**
   * Each table needs rows of both organisations; what the application itself does not make at
   * start.
   */
  private static void fillEveryTable(RunningPlatform platform) {
    platform
        .database()
        .sql("INSERT INTO processes.region VALUES ('walk', now()) ON CONFLICT DO NOTHING")
        .update();
    // Becomes a member of both.
    TestingPeople.admin(platform);
    for (ControlApi api :
        List.of(
            new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY),
            new ControlApi(platform, "org-self", RunningPlatform.SELF_KEY))) {
      assertThat(
              api.post(
                      "/environments",
                      "{\"id\":\"env-walk\",\"display_name\":\"Walk\"}",
                      "Idempotency-Key",
                      "walk")
                  .status())
          .isEqualTo(201);
      assertThat(
              api.post(
                      "/service-accounts",
                      "{\"display_name\":\"Walk\",\"role\":\"metrics_viewer\"}",
                      "Idempotency-Key",
                      "walk")
                  .status())
          .isEqualTo(201);
      assertThat(
              api.post(
                      "/invitations",
                      "{\"mail\":\"walk@example.org\",\"grants\":[{\"role\":\"developer\"}]}",
                      "Idempotency-Key",
                      "walk")
                  .status())
          .isEqualTo(201);
      assertThat(
              api.call(
                      "PUT",
                      "/environments/env-walk/quotas",
                      "{\"points_per_second\":5000}",
                      "If-Match",
                      "*")
                  .status())
          .isEqualTo(200);
      assertThat(
              api.call(
                      "PUT",
                      "/environments/env-walk/retention",
                      "{\"raw_days\":5000}",
                      "If-Match",
                      "*")
                  .status())
          .isEqualTo(200);
      assertThat(
              api.post(
                      "/environments/env-walk/metrics",
                      "{\"name\":\"walk\"}",
                      "Idempotency-Key",
                      "walk")
                  .status())
          .isEqualTo(201);
      assertThat(
              api.post(
                      "/environments/env-walk/deletions",
                      "{\"metric\":\"walk\"}",
                      "Idempotency-Key",
                      "walk")
                  .status())
          .isEqualTo(202);
      assertThat(
              api.post(
                      "/environments/env-walk/dead-letter-replays", "{}", "Idempotency-Key", "walk")
                  .status())
          .isEqualTo(202);
      assertThat(
              api.post(
                      "/environments/env-walk/resources",
                      "{\"type\":\"kafka\",\"name\":\"walk\"}",
                      "Idempotency-Key",
                      "walk")
                  .status())
          .isEqualTo(201);
      assertThat(
              api.post(
                      "/dashboards",
                      "{\"version\":1,\"title\":\"Walk\",\"panels\":[]}",
                      "Idempotency-Key",
                      "walk")
                  .status())
          .isEqualTo(201);
    }
    Sightings seen = new Sightings();
    for (String tenant : List.of("org-demo", "org-self")) {
      seen.add(tenant, "env-walk", "seen", "gauge", "1", "kafka", "seen", List.of("topic"), 0);
    }
    platform.bean(SightingRecorder.class).record(seen);
    for (TenantId tenant : List.of(DEMO, SELF)) {
      recordReceipt(platform, tenant);
      bill(platform, tenant);
      alert(platform, tenant);
    }
  }

  /** A rule with an incident, and an integration with a delivery that was tried. */
  private static void alert(RunningPlatform platform, TenantId tenant) {
    ControlApi api =
        new ControlApi(
            platform,
            tenant.value(),
            tenant.equals(DEMO) ? RunningPlatform.DEMO_KEY : RunningPlatform.SELF_KEY);
    String place = "/environments/env-walk";
    var integration =
        api.post(place + "/integrations", TestingAlerts.INTEGRATION, "Idempotency-Key", "walk");
    assertThat(integration.status()).isEqualTo(201);
    assertThat(api.call("PUT", place + "/alert-packs/jvm", null).status()).isEqualTo(200);
    assertThat(
            api.post(place + "/silences", TestingAlerts.SILENCE, "Idempotency-Key", "walk")
                .status())
        .isEqualTo(201);
    assertThat(
            api.post(place + "/inhibitions", TestingAlerts.INHIBITION, "Idempotency-Key", "walk")
                .status())
        .isEqualTo(201);
    var rule = api.post(place + "/alert-rules", TestingAlerts.RULE, "Idempotency-Key", "walk");
    assertThat(rule.status()).isEqualTo(201);
    TestingAlerts.incident(platform, tenant, "env-walk", rule.body().path("id").asString());
    platform
        .database()
        .sql(
            """
            INSERT INTO delivery_attempt (organization_id, delivery_id, attempted_at, duration_ms)
            SELECT organization_id, id, created_at, 1 FROM delivery
            WHERE organization_id = :organization LIMIT 1
            """)
        .param("organization", tenant.value())
        .update();
    platform
        .database()
        .sql(
            """
            INSERT INTO grouped_message
            SELECT organization_id, 'grm-' || gen_random_uuid(), integration_id, message_id, body, 1, created_at
            FROM delivery WHERE organization_id = :organization LIMIT 1
            """)
        .param("organization", tenant.value())
        .update();
  }

  /** Two months ago, so that a month that another test closes is left alone. */
  private static void bill(RunningPlatform platform, TenantId tenant) {
    BillingPeriod period =
        BillingPeriod.at(platform.bean(Clock.class).instant()).previous().previous();
    for (long points : List.of(30_000_000L, 1L)) {
      // The second time with another quantity: a conflict.
      platform
          .bean(UsageLedger.class)
          .record(
              List.of(
                  new MeteredRecord(
                      tenant,
                      "ee".repeat(32),
                      "env-walk",
                      "service",
                      "walk",
                      "walk",
                      period.start(),
                      1,
                      Map.of("points", BigDecimal.valueOf(points)),
                      period.start().plusSeconds(3_610),
                      0,
                      1)));
    }
    Plans plans = platform.bean(Plans.class);
    plans.choose(
        tenant, Actor.system("walk"), ExpectedVersion.ANY, plans.named("standard"), null, 0);
    platform
        .bean(Credits.class)
        .grant(
            tenant,
            Actor.system("walk"),
            "walk",
            new Credit(
                "",
                Credit.Kind.PROMOTIONAL,
                BigDecimal.ONE,
                "EUR",
                "Walk",
                period.firstDay(),
                period.firstDay()));
    platform.bean(Invoices.class).close(tenant, period);
    platform
        .bean(SpendingBudgets.class)
        .change(tenant, Actor.system("walk"), ExpectedVersion.ANY, SpendingBudget.NONE);
    for (String insert :
        List.of(
            "INSERT INTO spending_threshold SELECT :organization, :month, 50, 1, 1, 'EUR', now()"
                + " ON CONFLICT DO NOTHING",
            "INSERT INTO usage_tally (organization_id, process, hour, environment_id,"
                + " resource_type, resource_id, metric, meter, units, entered) SELECT"
                + " :organization, 'walk', :month, '', '', '', '', 'queries', 1, 1 ON CONFLICT DO"
                + " NOTHING",
            "INSERT INTO reconciled_hour (organization_id, hour) SELECT :organization, :month"
                + " ON CONFLICT DO NOTHING",
            "INSERT INTO reconciliation_difference (organization_id, hour, environment_id, metric,"
                + " stage, expected, found, first_seen_at, last_seen_at) SELECT :organization,"
                + " :month, '', '', 'lake', 1, 2, now(), now() ON CONFLICT DO NOTHING",
            "INSERT INTO removal_in_region (organization_id, removal_id, region, settled_from, druid,"
                + " lake) SELECT organization_id, id, 'walk', created_at, '[]', '[]' FROM removal"
                + " WHERE organization_id = :organization ORDER BY id LIMIT 1 ON CONFLICT DO NOTHING",
            "INSERT INTO lowered_quota SELECT :organization, :month, 1, 1, now()"
                + " ON CONFLICT DO NOTHING")) {
      platform
          .database()
          .sql(insert)
          .param("organization", tenant.value())
          .param("month", period.firstDay())
          .update();
    }
  }

  private static void recordReceipt(RunningPlatform platform, TenantId tenant) {
    EnvironmentId environment = new EnvironmentId("env-walk");
    Instant now = platform.bean(Clock.class).instant();
    String batch = "cd".repeat(32);
    platform
        .bean(ReceiptRecorder.class)
        .record(
            List.of(new BatchCopy(tenant, environment, batch, null, 0, 1, now, 5, Map.of())),
            List.of(
                new DeadLetterRef(
                    tenant,
                    environment,
                    batch,
                    new DeadLetterRef.SourcePosition("telemetry.points.v1", 0, 1),
                    now,
                    "TOO_LATE",
                    1,
                    new DeadLetterRef.SourcePosition("telemetry.dead-letters.v1", 0, 1))));
  }

  private static long count(JdbcClient database, String table, String where) {
    return database
        .sql("SELECT count(*) FROM " + table + " WHERE " + where)
        .query(Long.class)
        .single();
  }

  /** Passes when the statement is refused, or finds no row to touch. */
  private static void touchesNothing(ThrowingUpdate update) {
    try {
      assertThat(update.rows()).isZero();
    } catch (RuntimeException refused) {
      assertRefusal(refused);
    }
  }

  private static void refused(ThrowingCallable statement) {
    assertThatThrownBy(statement).satisfies(RowLevelSecurityIT::assertRefusal);
  }

  private static void assertRefusal(Throwable refused) {
    assertThat(refused).rootCause().isInstanceOf(SQLException.class);
    Throwable root = refused;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    assertThat(((SQLException) root).getSQLState()).as(root.getMessage()).isEqualTo("42501");
  }

  @FunctionalInterface
  private interface ThrowingUpdate {
    int rows();
  }

  @Test
  void theCatalogShowsNoWayAround() {
    assertThat(tables).extracting(TenantTable::name).contains("organization", "api_key");
    assertThat(TenantTables.faults(superuser)).isEmpty();
  }

  @Test
  void aTableLeftOpenIsFound() {
    superuser.sql("CREATE TABLE left_open (organization_id text)").update();
    try {
      assertThat(TenantTables.faults(superuser))
          .anySatisfy(fault -> assertThat(fault).startsWith("left_open is not kept"));
    } finally {
      superuser.sql("DROP TABLE left_open").update();
    }
  }

  @Test
  void everyTableShowsAnOrganisationItsOwnRowsOnly() {
    for (TenantTable table : tables) {
      String mine = table.organizationColumn() + " = 'org-demo'";
      long there = count(superuser, table.name(), mine);
      long others = count(superuser, table.name(), "NOT " + mine);
      assertThat(there)
          .as("rows of org-demo in %s, or the walk proves nothing", table)
          .isPositive();
      assertThat(others).as("rows of others in %s, or the walk proves nothing", table).isPositive();
      transactions.run(
          DEMO,
          () -> {
            assertThat(count(application, table.name(), mine)).as("%s", table).isEqualTo(there);
            assertThat(count(application, table.name(), "NOT " + mine)).as("%s", table).isZero();
          });
    }
  }

  @Test
  void withoutAnOrganisationThereAreNoRows() {
    for (TenantTable table : tables) {
      assertThat(count(application, table.name(), "true")).as("%s", table).isZero();
      touchesNothing(() -> application.sql("DELETE FROM " + table.name()).update());
      touchesNothing(
          () ->
              application
                  .sql("UPDATE %1$s SET %2$s = %2$s".formatted(table, table.organizationColumn()))
                  .update());
    }
  }

  @Test
  void noTableTakesARowOfAnotherOrganisationOrOfNone() {
    for (TenantTable table : tables) {
      String row =
          superuser
              .sql(
                  "SELECT to_json(r)::text FROM %s AS r WHERE %s = 'org-self' LIMIT 1"
                      .formatted(table, table.organizationColumn()))
              .query(String.class)
              .single();
      String insert =
          "INSERT INTO %1$s SELECT * FROM json_populate_record(NULL::%1$s, :row::json)"
              .formatted(table);
      refused(() -> application.sql(insert).param("row", row).update());
      refused(
          () -> transactions.run(DEMO, () -> application.sql(insert).param("row", row).update()));
    }
  }

  @Test
  void noRowOfAnotherOrganisationCanBeChangedOrGivenAway() {
    for (TenantTable table : tables) {
      String column = table.organizationColumn();
      touchesNothing(
          () ->
              transactions.within(
                  DEMO,
                  () ->
                      application
                          .sql("DELETE FROM %s WHERE %s = 'org-self'".formatted(table, column))
                          .update()));
      refused(
          () ->
              transactions.run(
                  DEMO,
                  () ->
                      application
                          .sql("UPDATE %s SET %s = 'org-self'".formatted(table, column))
                          .update()));
    }
  }

  @Test
  void aTransactionBelongsToOneOrganisation() {
    assertThatThrownBy(() -> transactions.run(DEMO, () -> transactions.run(SELF, () -> {})))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("org-demo");
    assertThat(transactions.<Long>within(DEMO, () -> transactions.within(DEMO, this::environments)))
        .isPositive();
  }

  private long environments() {
    return count(application, "environment", "true");
  }

  /** Few connections, many threads, random ends: no transaction sees what another one left. */
  @Test
  void connectionsGoBackWithoutATenant() throws Exception {
    List<Callable<Void>> work = new ArrayList<>();
    for (int thread = 0; thread < 12; thread++) {
      Random random = new Random(thread);
      work.add(
          () -> {
            for (int round = 0; round < 60; round++) {
              useAndLeave(random);
            }
            return null;
          });
    }
    ExecutorService threads = Executors.newFixedThreadPool(work.size());
    try {
      for (Future<Void> done : threads.invokeAll(work)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private void useAndLeave(Random random) {
    TenantId tenant = random.nextBoolean() ? DEMO : SELF;
    boolean fail = random.nextInt(3) == 0;
    try {
      transactions.run(
          tenant,
          () -> {
            assertThat(application.sql("SELECT id FROM organization").query(String.class).list())
                .containsExactly(tenant.value());
            if (fail) {
              application.sql("SELECT 1 / 0").query(Integer.class).single();
            }
          });
    } catch (org.springframework.dao.DataAccessException expected) {
      assertThat(fail).isTrue();
    }
    assertThat(application.sql("SELECT current_organization()").query(String.class).optional())
        .isEmpty();
    assertThat(environments()).isZero();
  }

  @Test
  void aKeyIsFoundByItsIdBeforeItsOrganisationIsKnown() {
    assertThat(
            application
                .sql("SELECT organization_id FROM find_api_key(:id)")
                .param("id", "D".repeat(16))
                .query(String.class)
                .single())
        .isEqualTo("org-demo");
    refused(() -> application.sql("SET ROLE tidemark_cross_tenant").update());
  }

  @Test
  void theApplicationRunsAsTheRoleThatOwnsNothing() {
    assertThat(application.sql("SELECT session_user").query(String.class).single())
        .isEqualTo(ApplicationRole.NAME);
  }
}
