package io.tidemark.platform.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The audit log tells what happened, and shows when it was tampered with. */
@ExtendWith(RunningPlatform.Extension.class)
class AuditLogIT {

  private static final TenantId SELF = new TenantId("org-self");

  private final RunningPlatform platform;
  private final JdbcClient superuser;
  private final ControlApi self;

  AuditLogIT(RunningPlatform platform) {
    this.platform = platform;
    this.superuser = platform.database();
    this.self = new ControlApi(platform, "org-self", RunningPlatform.SELF_KEY);
  }

  @BeforeEach
  void someChanges() {
    self.post("/environments", "{\"id\":\"env-audit\",\"display_name\":\"Audit\"}");
    for (int i = 0; i < 3; i++) {
      assertThat(self.post("/environments/env-audit/archive", null).status()).isEqualTo(200);
      assertThat(self.post("/environments/env-audit/restore", null).status()).isEqualTo(200);
    }
  }

  private JsonNode newest() {
    return self.get("/audit-log?limit=1").body().path("data").get(0);
  }

  private Answer verification() {
    Answer answer = self.get("/audit-log/verification");
    assertThat(answer.status()).isEqualTo(200);
    return answer;
  }

  @Test
  void aChangeIsToldWithActorAddressBeforeAndAfter() {
    self.post("/environments/env-audit/archive", null);
    JsonNode entry = newest();
    assertThat(entry.path("action").asString()).isEqualTo("environment.archive");
    assertThat(entry.path("actor_kind").asString()).isEqualTo("api_key");
    assertThat(entry.path("actor_id").asString()).isEqualTo("S".repeat(16));
    assertThat(entry.path("address").asString()).isEqualTo("127.0.0.1");
    assertThat(entry.path("object_id").asString()).isEqualTo("env-audit");
    assertThat(entry.path("outcome").asString()).isEqualTo("done");
    assertThat(entry.path("before").asString()).contains("\"state\":\"ACTIVE\"");
    assertThat(entry.path("after").asString())
        .contains("\"state\":\"ARCHIVED\"", "\"organization_id\":\"org-self\"");
  }

  @Test
  void refusedAttemptsAreToldInTheLogOfWhoTried() {
    ControlApi extra = new ControlApi(platform, "org-extra", RunningPlatform.EXTRA_KEY);
    assertThat(extra.post("/environments/env-extra/archive", null).status()).isEqualTo(403);
    assertThat(extra.callAt("GET", "/api/v1/organizations/org-self", null).status()).isEqualTo(404);
    assertThat(
            superuser
                .sql(
                    """
                    SELECT action || ' ' || object_id || ' ' || reason FROM audit_entry
                    WHERE organization_id = 'org-extra' AND outcome = 'refused'
                    ORDER BY sequence DESC LIMIT 2
                    """)
                .query(String.class)
                .list())
        .containsExactly(
            "organization.read org-self not_found", "environment.archive env-extra forbidden");
  }

  @Test
  void aRefusedChangeLeavesNoEntryOfAChange() {
    long before = newest().path("sequence").asLong();
    assertThat(self.post("/environments/env-self/archive", null).status()).isEqualTo(409);
    assertThat(self.post("/environments/env-audit/restore", null).status()).isEqualTo(200);
    assertThat(newest().path("sequence").asLong()).isEqualTo(before);
  }

  @Test
  void anUntouchedLogIsIntactAndKnowsItsEntries() {
    JsonNode found = verification().body();
    assertThat(found.path("intact").asBoolean()).isTrue();
    assertThat(found.path("entries").asLong()).isEqualTo(found.path("sequence").asLong());
    String known =
        "/audit-log/verification?known_sequence=%s&known_hash=%s"
            .formatted(found.path("sequence").asLong(), found.path("hash").asString());
    self.post("/environments/env-audit/archive", null);
    assertThat(self.get(known).body().path("intact").asBoolean()).isTrue();
    assertThat(
            self.get("/audit-log/verification?known_sequence=1&known_hash=" + "0".repeat(64))
                .body()
                .path("intact")
                .asBoolean())
        .isFalse();
    assertThat(self.get("/audit-log/verification?known_sequence=1").status()).isEqualTo(400);
  }

  /** What an administrator of the database could do; undone at the end. */
  private String faultsAfter(String tampering) {
    long last = newest().path("sequence").asLong();
    superuser.sql("CREATE TABLE untouched AS SELECT * FROM audit_entry").update();
    superuser.sql("ALTER TABLE audit_entry DISABLE TRIGGER USER").update();
    try {
      int rows =
          superuser
              .sql(tampering + " WHERE organization_id = 'org-self' AND sequence = :sequence")
              .param("sequence", tampering.contains("cut") ? last : last - 2)
              .update();
      assertThat(rows).isEqualTo(1);
      JsonNode found = verification().body();
      assertThat(found.path("intact").asBoolean()).isFalse();
      return found.path("faults").toString();
    } finally {
      superuser.sql("DELETE FROM audit_entry").update();
      superuser.sql("INSERT INTO audit_entry SELECT * FROM untouched").update();
      superuser.sql("DROP TABLE untouched").update();
      superuser.sql("ALTER TABLE audit_entry ENABLE TRIGGER USER").update();
      assertThat(verification().body().path("intact").asBoolean()).isTrue();
    }
  }

  @Test
  void everyKindOfTamperingIsFound() {
    assertThat(faultsAfter("UPDATE audit_entry SET actor_id = 'somebody else'"))
        .contains("was changed");
    assertThat(faultsAfter("UPDATE audit_entry SET at = at + interval '1 microsecond'"))
        .contains("was changed");
    assertThat(faultsAfter("DELETE FROM audit_entry")).contains("are missing");
    assertThat(faultsAfter("/* cut off */ DELETE FROM audit_entry"))
        .contains("The log ends before");
  }

  @Test
  void entriesCannotBeChangedByTheApplicationNorByTheOwner() {
    JdbcClient application = platform.bean(JdbcClient.class);
    for (String statement :
        new String[] {"UPDATE audit_entry SET action = 'x'", "DELETE FROM audit_entry"}) {
      assertThatThrownBy(
              () ->
                  platform
                      .bean(TenantTransactions.class)
                      .run(SELF, () -> application.sql(statement).update()))
          .rootCause()
          .hasMessageContaining("permission denied");
      assertThatThrownBy(() -> superuser.sql(statement).update())
          .rootCause()
          .hasMessageContaining("never changed or removed");
    }
    assertThatThrownBy(() -> superuser.sql("TRUNCATE audit_entry").update())
        .rootCause()
        .hasMessageContaining("never changed or removed");
  }

  @Test
  void theLogIsReadPageByPageAndByWhatIsAsked() {
    JsonNode first = self.get("/audit-log?limit=2&object_id=env-audit").body();
    assertThat(first.path("data").size()).isEqualTo(2);
    String cursor = first.path("meta").path("next_cursor").asString();
    JsonNode second = self.get("/audit-log?limit=2&object_id=env-audit&cursor=" + cursor).body();
    assertThat(second.path("data").get(0).path("sequence").asLong())
        .isLessThan(first.path("data").get(1).path("sequence").asLong());
    assertThat(self.get("/audit-log?action=no.such").body().path("data").size()).isZero();
    assertThat(self.get("/audit-log?until=2020-01-01T00:00:00Z").body().path("data").size())
        .isZero();
    assertThat(self.get("/audit-log?since=yesterday").status()).isEqualTo(400);
    assertThat(self.get("/audit-log?cursor=bm90LW91cnM").status()).isEqualTo(400);
  }

  @Test
  void anExportIsEnoughToVerifyElsewhere() {
    JsonMapper json = JsonMapper.builder().build();
    String previous = "0".repeat(64);
    long sequence = 0;
    for (String line : Http.text(self.get("/audit-log/export").response()).split("\n")) {
      JsonNode entry = json.readTree(line);
      assertThat(entry.path("sequence").asLong()).isEqualTo(++sequence);
      assertThat(entry.path("previous_hash").asString()).isEqualTo(previous);
      previous = entry.path("hash").asString();
    }
    assertThat(previous).isEqualTo(newest().path("hash").asString());
  }

  @Test
  void theAddressIsTheClientsAndNotTheProxys() {
    self.call(
        "POST",
        "/environments/env-audit/archive",
        null,
        "X-Forwarded-For",
        "198.51.100.9, 203.0.113.7");
    assertThat(newest().path("address").asString()).isEqualTo("203.0.113.7");
  }
}
