package io.tidemark.platform.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.alerting.AlertTransition.Kind;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingAlerts;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Rows of alerts go when they are older than is promised, by one process at a time. */
@ExtendWith(RunningPlatform.Extension.class)
class AlertPrunerIT {

  private static final TenantId DEMO = new TenantId("org-demo");

  private final RunningPlatform platform;
  private final JdbcClient superuser;
  private final ControlApi demo;

  AlertPrunerIT(RunningPlatform platform) {
    this.platform = platform;
    this.superuser = platform.database();
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
  }

  private void age(String table, String column, String id, Duration age) {
    assertThat(
            superuser
                .sql(
                    "UPDATE %s SET %s = now() - make_interval(hours => :hours) WHERE id = :id"
                        .formatted(table, column))
                .param("hours", (int) age.toHours())
                .param("id", id)
                .update())
        .isEqualTo(1);
  }

  private long count(String table, String like) {
    return superuser
        .sql("SELECT count(*) FROM " + table + " WHERE id LIKE :like")
        .param("like", like)
        .query(Long.class)
        .single();
  }

  @Test
  void whatIsOlderThanPromisedGoesAndNothingElse() {
    String place = "/environments/env-prune";
    assertThat(demo.post("/environments", "{\"id\":\"env-prune\",\"display_name\":\"x\"}").status())
        .isEqualTo(201);
    String rule =
        demo.post(place + "/alert-rules", TestingAlerts.RULE).body().path("id").asString();
    TransitionRecorder recorder = platform.bean(TransitionRecorder.class);
    for (String incident : new String[] {"prune-old", "prune-new", "prune-open"}) {
      recorder.record(TestingAlerts.transition(DEMO, "env-prune", rule, incident, 1, Kind.FIRED));
    }
    for (String incident : new String[] {"prune-old", "prune-new"}) {
      recorder.record(
          TestingAlerts.transition(DEMO, "env-prune", rule, incident, 2, Kind.RESOLVED));
    }
    String silence =
        demo.post(place + "/silences", TestingAlerts.SILENCE).body().path("id").asString();
    age("silence", "over_at", silence, AlertPruner.TRANSITIONS.plusHours(1));
    age("alert_transition", "recorded_at", "prune-old-1", AlertPruner.TRANSITIONS.plusHours(1));
    age("alert_transition", "recorded_at", "prune-old-2", AlertPruner.TRANSITIONS.minusHours(1));
    age("incident", "ended_at", "prune-old", AlertPruner.INCIDENTS.plusHours(1));
    age("incident", "ended_at", "prune-new", AlertPruner.INCIDENTS.minusHours(1));
    age("incident", "started_at", "prune-open", AlertPruner.INCIDENTS.plusHours(1));
    AlertPruner pruner = platform.bean(AlertPruner.class);

    // Another process holds the right to prune.
    long meanwhile =
        platform
            .bean(TenantTransactions.class)
            .within(
                DEMO,
                () -> {
                  assertThat(platform.bean(JdbcIncidents.class).ownPruning(DEMO)).isTrue();
                  return CompletableFuture.supplyAsync(pruner::prune).join();
                });
    assertThat(meanwhile).isZero();
    assertThat(count("incident", "prune-%")).isEqualTo(3);

    assertThat(pruner.prune()).isGreaterThanOrEqualTo(3);
    assertThat(pruner.prune()).isZero();
    assertThat(count("incident", "prune-old")).isZero();
    assertThat(count("incident", "prune-%")).isEqualTo(2);
    assertThat(count("alert_transition", "prune-old-%")).isEqualTo(1);
    assertThat(count("silence", silence)).isZero();
    assertThat(
            superuser
                .sql("SELECT count(*) FROM incident_event WHERE incident_id = 'prune-old'")
                .query(Long.class)
                .single())
        .isZero();
    assertThat(Instant.EPOCH.plus(AlertPruner.TRANSITIONS))
        .as("longer than the topic keeps transitions")
        .isAfter(Instant.EPOCH.plus(Duration.ofDays(7)));
  }
}
