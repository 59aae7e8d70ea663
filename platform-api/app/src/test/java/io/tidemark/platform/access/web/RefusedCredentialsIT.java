package io.tidemark.platform.access.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Refused credentials are in the audit log, however many there are, and do not fill it. */
@ExtendWith(RunningPlatform.Extension.class)
class RefusedCredentialsIT {

  private static final int FLOOD = 200;

  private final RunningPlatform platform;
  private final JdbcClient database;

  RefusedCredentialsIT(RunningPlatform platform) {
    this.platform = platform;
    this.database = platform.database();
  }

  private void attempt(String authorization) {
    assertThat(
            Http.send("GET", platform.api("/api/v1/caller"), null, "Authorization", authorization)
                .statusCode())
        .isEqualTo(401);
  }

  private long entries(String organization) {
    return database
        .sql(
            """
            SELECT count(*) FROM audit_entry
            WHERE organization_id = :organization AND action = :action AND outcome = 'refused'
            """)
        .param("organization", organization)
        .param("action", AuthFailureRecorder.ACTION)
        .query(Long.class)
        .single();
  }

  @Test
  void aFloodIsOneEntryForAKeyAndOneForAllThatDoNotExist() {
    AuthFailureRecorder refusals = platform.bean(AuthFailureRecorder.class);
    refusals.write();
    long ofDemo = entries("org-demo");
    long ofPlatform = entries("org-self");
    // The key of org-demo, as if it were one of another environment.
    String wrong = TestingKeys.bearer(TestingKeys.key("env-none", 'D'));
    for (int i = 0; i < FLOOD; i++) {
      attempt(wrong);
      attempt(TestingKeys.bearer(TestingKeys.key("env-none", (char) ('U' + i % 6))));
    }
    refusals.write();

    assertThat(entries("org-demo") - ofDemo).isEqualTo(1);
    assertThat(entries("org-self") - ofPlatform).isEqualTo(1);
    ControlApi demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
    var entry =
        demo.get("/audit-log?action=" + AuthFailureRecorder.ACTION).body().path("data").path(0);
    assertThat(entry.path("object_id").asString()).isEqualTo("D".repeat(16));
    assertThat(entry.path("reason").asString()).isEqualTo("unauthenticated");
    assertThat(entry.path("after").asString())
        .contains("\"attempts\":" + FLOOD)
        .contains("127.0.0.1");
    assertThat(demo.get("/audit-log/verification").body().path("intact").asBoolean()).isTrue();
    refusals.write();
    assertThat(entries("org-demo") - ofDemo).as("nothing new").isEqualTo(1);
  }
}
