package io.tidemark.platform.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.contracts.control.v1.TenantCensus;
import io.tidemark.contracts.control.v1.TenantControl;
import io.tidemark.contracts.control.v1.TenantState;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingControlTopics;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Changes reach the control topics, once committed and in their order, whatever is down between.
 */
@ExtendWith(RunningPlatform.Extension.class)
class OutboxPublisherIT {

  private static final String TOPIC = "control.tenants.v1";

  private final RunningPlatform platform;
  private final TestingControlTopics topics;
  private final ControlApi self;

  OutboxPublisherIT(RunningPlatform platform) {
    this.platform = platform;
    this.topics = platform.controlTopics();
    this.self = new ControlApi(platform, "org-self", RunningPlatform.SELF_KEY);
  }

  @AfterEach
  void kafkaIsBack() {
    topics.fail(false);
  }

  private static TenantControl read(ControlRecord record) {
    try {
      return TenantControl.parseFrom(record.value());
    } catch (com.google.protobuf.InvalidProtocolBufferException unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  private TenantControl untilVersion(String key, long version) {
    return InterruptibleDelay.until(
        "version " + version + " of " + key,
        Duration.ofSeconds(5),
        () -> topics.last(TOPIC, key).map(OutboxPublisherIT::read),
        record -> record.getVersion() >= version);
  }

  private TenantControl make(String environment) {
    assertThat(
            self.post(
                    "/environments",
                    "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(environment))
                .status())
        .isEqualTo(201);
    return untilVersion("org-self/" + environment, 1);
  }

  @Test
  void tenantsOfTheSettingsArePublishedFromTheStart() {
    TenantControl demo = untilVersion("org-demo/env-demo", 1);
    assertThat(demo.getOrganizationId()).isEqualTo("org-demo");
    assertThat(demo.getEnvironmentId()).isEqualTo("env-demo");
    assertThat(demo.getState()).isEqualTo(TenantState.TENANT_STATE_ACTIVE);
    assertThat(demo.getBudgets().getActiveSeries()).isZero();
  }

  @Test
  void everyChangeIsSeenWithinFiveSecondsAndInOrder() {
    make("env-order");
    self.call(
        "PUT",
        "/environments/env-order/budgets",
        "{\"active_series\":1000,\"label_value_length\":32}",
        "If-Match",
        "\"1\"");
    TenantControl changed = untilVersion("org-self/env-order", 2);
    assertThat(changed.getBudgets().getActiveSeries()).isEqualTo(1000);
    assertThat(changed.getBudgets().getLabelValueLength()).isEqualTo(32);
    assertThat(changed.getBudgets().getLabelsPerSeries()).isZero();
    self.post("/environments/env-order/archive", null);
    assertThat(untilVersion("org-self/env-order", 3).getState())
        .isEqualTo(TenantState.TENANT_STATE_SUSPENDED);
    self.post("/environments/env-order/restore", null);
    assertThat(untilVersion("org-self/env-order", 4).getState())
        .isEqualTo(TenantState.TENANT_STATE_ACTIVE);
    assertThat(topics.all(TOPIC, "org-self/env-order").stream().map(r -> read(r).getVersion()))
        .isSorted();
  }

  @Test
  void changesMadeWhileKafkaIsAwayArePublishedWhenItIsBack() {
    make("env-outage");
    topics.fail(true);
    self.post("/environments/env-outage/archive", null);
    self.post("/environments/env-outage/restore", null);
    self.post("/environments/env-outage/archive", null);
    assertThat(read(topics.last(TOPIC, "org-self/env-outage").orElseThrow()).getVersion())
        .isEqualTo(1);
    topics.fail(false);
    TenantControl last = untilVersion("org-self/env-outage", 4);
    assertThat(last.getVersion()).isEqualTo(4);
    assertThat(last.getState()).isEqualTo(TenantState.TENANT_STATE_SUSPENDED);
  }

  @Test
  void theCensusComesAfterWhatItSpeaksFor() throws Exception {
    long before = platform.bean(Clock.class).millis();
    make("env-census");
    long committedBy = platform.bean(Clock.class).millis();
    ControlRecord census =
        InterruptibleDelay.until(
            "a census later than the change",
            Duration.ofSeconds(5),
            () -> topics.last(TOPIC, "*"),
            record -> through(record) > committedBy);
    assertThat(through(census)).isGreaterThan(before);
    assertThat(topics.last(TOPIC, "org-self/env-census")).isPresent();
  }

  private static long through(ControlRecord record) {
    try {
      return TenantCensus.parseFrom(record.value()).getPublishedThroughUnixMs();
    } catch (com.google.protobuf.InvalidProtocolBufferException unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  /** Also when the topic was lost: another start writes every record again. */
  @Test
  void anInstanceThatStartsPublishesEverythingAnew() {
    make("env-restart");
    TestingControlTopics anew = new TestingControlTopics();
    OutboxPublisher started =
        new OutboxPublisher(
            platform.bean(CrossTenantControlRecords.class),
            anew,
            List.of(platform.bean(ControlTopic.class)),
            platform.bean(PlatformTransactionManager.class),
            platform.bean(Clock.class),
            platform.bean(OutboxProperties.class));
    InterruptibleDelay.until(
        "a pass that no other instance's kept out",
        Duration.ofSeconds(5),
        () -> {
          started.pass();
          return anew.last(TOPIC, "*");
        },
        census -> true);
    assertThat(anew.last(TOPIC, "org-demo/env-demo")).isPresent();
    assertThat(anew.last(TOPIC, "org-self/env-restart")).isPresent();
  }

  /** As after an upgrade from a version that told the pipeline nothing. */
  @Test
  void environmentsThatWereNeverPublishedAreAdded() {
    platform
        .database()
        .sql(
            """
            INSERT INTO environment (organization_id, id, display_name)
            VALUES ('org-self', 'env-unpublished', 'x')
            """)
        .update();
    platform.bean(ControlTopic.class).addMissing();
    assertThat(untilVersion("org-self/env-unpublished", 1).getState())
        .isEqualTo(TenantState.TENANT_STATE_ACTIVE);
  }

  /** Each removal of each environment leaves one. */
  @Test
  void tombstonesAreWrittenAgainForADayAndThoseOfRemovalsGoAfterAMonth() {
    String topic = "control.removals.v1";
    CrossTenantControlRecords records = platform.bean(CrossTenantControlRecords.class);
    TransactionTemplate transaction =
        new TransactionTemplate(platform.bean(PlatformTransactionManager.class));
    String[][] tombstones = {{"a-fresh", "1 hour"}, {"a-old", "2 days"}, {"a-older", "31 days"}};
    for (String[] each : tombstones) {
      platform
          .database()
          .sql(
              """
              INSERT INTO control_record
                (organization_id, topic, key, value, version, published_version,
                 tombstone_taken_at)
              VALUES ('org-self', :topic, :key, NULL, 2, 2, now() - CAST(:age AS interval))
              """)
          .param("topic", topic)
          .param("key", each[0])
          .param("age", each[1])
          .update();
    }
    try {
      assertThat(records.toPublish(true, topic, "a", 500))
          .extracting(ControlRecord::key)
          .filteredOn(key -> key.startsWith("a-"))
          .containsExactly("a-fresh");
      transaction.executeWithoutResult(status -> records.forget());
      assertThat(
              platform
                  .database()
                  .sql("SELECT key FROM control_record WHERE topic = :topic AND key LIKE 'a-%'")
                  .param("topic", topic)
                  .query(String.class)
                  .list())
          .containsExactlyInAnyOrder("a-fresh", "a-old");
    } finally {
      platform.database().sql("DELETE FROM control_record WHERE key LIKE 'a-%'").update();
    }
  }
}
