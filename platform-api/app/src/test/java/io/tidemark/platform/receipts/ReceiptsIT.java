package io.tidemark.platform.receipts;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.RunningPlatform;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Receipts over HTTP, from what the topics say. */
@ExtendWith(RunningPlatform.Extension.class)
class ReceiptsIT {

  private static final TenantId DEMO = new TenantId("org-demo");
  private static final EnvironmentId ENVIRONMENT = new EnvironmentId("env-demo");
  private static final String POINTS = "telemetry.points.v1";

  private final ControlApi demo;
  private final ControlApi self;
  private final RunningPlatform platform;
  private final ReceiptRecorder recording;
  private final Instant now;

  ReceiptsIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
    this.self = new ControlApi(platform, "org-self", RunningPlatform.SELF_KEY);
    this.recording = platform.bean(ReceiptRecorder.class);
    this.now = platform.bean(Clock.class).instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private static String batch(String digits) {
    return digits.repeat(32);
  }

  private BatchCopy copy(String batch, String key, long offset, Instant at) {
    return new BatchCopy(
        DEMO, ENVIRONMENT, batch, key, 3, offset, at, 10, Map.of("VALUE_NOT_FINITE", 2L));
  }

  private DeadLetterRef letter(String batch, String topic, long copy, long points, long letter) {
    return new DeadLetterRef(
        DEMO,
        ENVIRONMENT,
        batch,
        new DeadLetterRef.SourcePosition(topic, 3, copy),
        now,
        "TOO_LATE",
        points,
        new DeadLetterRef.SourcePosition("telemetry.dead-letters.v1", 0, letter));
  }

  private static Answer receipt(ControlApi caller, String id) {
    return caller.callAt("GET", "/api/v1/ingest/receipts/" + id, null);
  }

  @Test
  void aReceiptTellsWhatCountsWhatDoesNotAndWhatCameAgain() {
    String batch = batch("01");
    List<BatchCopy> copies =
        List.of(copy(batch, null, 5, now), copy(batch, null, 9, now.plusSeconds(4)));
    List<DeadLetterRef> letters =
        List.of(letter(batch, POINTS, 5, 1, 20), letter(batch, POINTS, 5, 2, 21));
    recording.record(copies, letters);
    // Kafka gives records again after a failure.
    recording.record(copies, letters);
    recording.record(List.of(), letters.subList(1, 2));

    Answer answer = receipt(demo, batch);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().path("receipt_id").asString()).isEqualTo(batch);
    assertThat(answer.body().path("environment_id").asString()).isEqualTo("env-demo");
    assertThat(answer.body().path("state").asString()).isEqualTo("partly_rejected");
    assertThat(Instant.parse(answer.body().path("received_at").asString())).isEqualTo(now);
    assertThat(answer.body().path("accepted_points").asLong()).isEqualTo(7);
    assertThat(answer.body().path("rejected").toString())
        .isEqualTo(
            "[{\"reason\":\"VALUE_NOT_FINITE\",\"points\":2,\"at\":\"gateway\"},"
                + "{\"reason\":\"TOO_LATE\",\"points\":3,\"at\":\"pipeline\"}]");
    assertThat(answer.body().path("times_counted").asInt()).isEqualTo(1);
    assertThat(answer.body().path("duplicates").asInt()).isEqualTo(1);
    assertThat(answer.body().has("idempotency_key")).isFalse();
  }

  @Test
  void aReceiptIsFoundByTheKeyThatTheSenderGave() {
    recording.record(
        List.of(
            copy(batch("02"), "order-7", 1, now),
            copy(batch("03"), "order-7", 2, now.plusMillis(1))),
        List.of());
    Answer answer = receipt(demo, "order-7");
    assertThat(answer.body().path("receipt_id").asString()).isEqualTo(batch("02"));
    assertThat(answer.body().path("idempotency_key").asString()).isEqualTo("order-7");
    assertThat(answer.body().path("other_receipts").toString())
        .isEqualTo("[\"" + batch("03") + "\"]");
  }

  @Test
  void aBatchOfWhichNothingCountsIsRejected() {
    String batch = batch("04");
    recording.record(List.of(copy(batch, null, 1, now)), List.of(letter(batch, POINTS, 1, 10, 22)));
    assertThat(receipt(demo, batch).body().path("state").asString()).isEqualTo("rejected");
    // Set aside before it came into the points topic.
    String atTheDoor = batch("05");
    recording.record(List.of(), List.of(letter(atTheDoor, "another", 1, 0, 23)));
    Answer answer = receipt(demo, atTheDoor);
    assertThat(answer.body().path("state").asString()).isEqualTo("rejected");
    assertThat(answer.body().path("times_counted").asInt()).isZero();
  }

  @Test
  void anotherTenantsReceiptAnswersAsOneThatDoesNotExist() {
    recording.record(List.of(copy(batch("06"), "mine", 1, now)), List.of());
    assertThat(receipt(demo, batch("06")).status()).isEqualTo(200);
    for (String id : List.of(batch("06"), "mine", "nobodys", batch("00"))) {
      Answer answer = receipt(self, id);
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.body().path("detail").asString())
          .isEqualTo(receipt(demo, "nobodys").body().path("detail").asString());
    }
  }

  @Test
  void deadLettersAreListedByReasonNewestFirstAndByPages() {
    String place = "/environments/env-demo/dead-letters";
    List<DeadLetterRef> letters = new ArrayList<>();
    for (int number = 0; number < 5; number++) {
      letters.add(
          new DeadLetterRef(
              DEMO,
              ENVIRONMENT,
              batch("1" + number),
              new DeadLetterRef.SourcePosition(POINTS, 3, number),
              now.plusMillis(number),
              "BUCKETS_INVALID",
              number,
              new DeadLetterRef.SourcePosition("telemetry.dead-letters.v1", 0, 100 + number)));
    }
    recording.record(List.of(), letters);

    Answer first = demo.get(place + "?reason=BUCKETS_INVALID&limit=3");
    assertThat(first.body().path("data").findValuesAsString("id"))
        .containsExactly("0-104", "0-103", "0-102");
    assertThat(first.body().path("data").path(0).path("batch_id").asString())
        .isEqualTo(batch("14"));
    assertThat(first.body().path("data").path(0).path("points").asLong()).isEqualTo(4);
    String next = first.body().path("meta").path("next_cursor").asString();
    Answer second = demo.get(place + "?reason=BUCKETS_INVALID&limit=3&cursor=" + next);
    assertThat(second.body().path("data").findValuesAsString("id"))
        .containsExactly("0-101", "0-100");
    assertThat(second.body().path("meta").has("next_cursor")).isFalse();
    assertThat(demo.get(place + "?reason=NO_SUCH").body().path("data").size()).isZero();
    assertThat(demo.get(place + "?cursor=MTp4").status()).isEqualTo(400);
    assertThat(demo.get(place + "/not-one").status()).isEqualTo(404);
    assertThat(self.get("/environments/env-self/dead-letters").body().path("data").toString())
        .doesNotContain(batch("14"));
  }

  @Test
  void thereAreNoReceiptsOfTheDayBeforeAndTheirRowsGo() {
    String old = batch("07");
    recording.record(List.of(copy(old, null, 1, now.minus(Duration.ofHours(24)))), List.of());
    assertThat(receipt(demo, old).status()).isEqualTo(404);
    assertThat(rows(old)).isZero();
    platform
        .database()
        .sql(
            """
            INSERT INTO batch_copy SELECT organization_id, decode(:old, 'hex'), source_partition,
              source_offset, environment_id, null, now() - interval '25 hours', points, rejected
            FROM batch_copy WHERE organization_id = 'org-demo' LIMIT 1
            """)
        .param("old", old)
        .update();
    platform
        .bean(io.tidemark.platform.shared.TenantTransactions.class)
        .run(
            DEMO,
            () ->
                platform
                    .bean(JdbcReceipts.class)
                    .removeBefore(DEMO, now.minus(Duration.ofHours(24))));
    assertThat(rows(old)).isZero();
  }

  private long rows(String batch) {
    return platform
        .database()
        .sql("SELECT count(*) FROM batch_copy WHERE batch_id = decode(:batch, 'hex')")
        .param("batch", batch)
        .query(Long.class)
        .single();
  }

  @Test
  void aKeyThatMayNotSendMayNotAsk() {
    String account =
        demo.post("/service-accounts", "{\"display_name\":\"Reads\",\"role\":\"metrics_viewer\"}")
            .body()
            .path("id")
            .asString();
    String key =
        demo.post(
                "/service-accounts/" + account + "/api-keys",
                "{\"environment_id\":\"env-demo\",\"scopes\":[\"metrics:read\"]}")
            .body()
            .path("secret")
            .asString();
    assertThat(receipt(new ControlApi(platform, "org-demo", key), batch("00")).status())
        .isEqualTo(403);
  }
}
