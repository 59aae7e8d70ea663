package io.tidemark.platform.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.replay.kafka.KafkaReplayRunner;
import io.tidemark.platform.replay.kafka.ReplayLog;
import io.tidemark.platform.replay.kafka.TestingReplayLog;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.RunningPlatform;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Replays over HTTP and in PostgreSQL; the topics are in memory. */
@ExtendWith(RunningPlatform.Extension.class)
class DeadLetterReplaysIT {

  private static final String PATH = "/environments/env-demo/dead-letter-replays";

  private final RunningPlatform platform;
  private final ControlApi demo;
  private final Instant now;
  private final TestingReplayLog log = new TestingReplayLog();

  DeadLetterReplaysIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
    this.now = platform.bean(Clock.class).instant();
  }

  @BeforeEach
  void noneIsThere() {
    platform.database().sql("DELETE FROM dead_letter_replay").update();
  }

  /** An instance of platform-api, with the same database and topics as the others. */
  private ReplayExecutor instance(ReplayLog topics) {
    return instance(topics, platform.bean(Clock.class));
  }

  private ReplayExecutor instance(ReplayLog topics, Clock clock) {
    return new ReplayExecutor(
        platform.bean(TenantTransactions.class),
        platform.bean(CrossTenantReplays.class),
        platform.bean(JdbcDeadLetterReplays.class),
        new KafkaReplayRunner(topics, platform.bean(ReplayProperties.class)),
        platform.bean(AuditLog.class),
        clock);
  }

  private void write(int letters) {
    for (int i = 0; i < letters; i++) {
      log.letters.add(TestingReplayLog.late("org-demo", "env-demo", i, now.minusSeconds(5)));
    }
  }

  private JsonNode read(String id) {
    return demo.get(PATH + "/" + id).body();
  }

  private String create(String body) {
    Answer answer = demo.post(PATH, body);
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(202);
    assertThat(answer.body().path("state").asString()).isEqualTo("counting");
    return answer.body().path("id").asString();
  }

  @Test
  void aReplayIsCountedThenExecutedOnceAndAudited() {
    write(3);
    String id = create("{\"reasons\":[\"TOO_LATE\"]}");
    assertThat(demo.post(PATH, "{}").status()).as("one at a time").isEqualTo(409);
    assertThat(demo.post(PATH + "/" + id + "/execute", "").status()).isEqualTo(409);
    instance(log).advanceAll(() -> {});

    JsonNode counted = read(id);
    assertThat(counted.path("state").asString()).isEqualTo("counted");
    assertThat(counted.path("counts").toString())
        .isEqualTo(
            "[{\"reason\":\"TOO_LATE\",\"outcome\":\"to_replay\",\"letters\":3,\"points\":3}]");
    assertThat(counted.path("records_read").asLong())
        .isEqualTo(counted.path("records_to_read").asLong());
    assertThat(log.sent).as("counting writes nothing").isEmpty();

    Answer begun = demo.post(PATH + "/" + id + "/execute", "");
    assertThat(begun.status()).as(begun.body().toString()).isEqualTo(202);
    assertThat(begun.body().path("state").asString()).isEqualTo("replaying");
    assertThat(demo.post(PATH + "/" + id + "/execute", "").status()).isEqualTo(202);
    instance(log).advanceAll(() -> {});

    JsonNode done = read(id);
    assertThat(done.path("state").asString()).isEqualTo("completed");
    assertThat(done.path("counts").path(0).path("outcome").asString()).isEqualTo("replayed");
    assertThat(done.path("counts").path(0).path("letters").asLong()).isEqualTo(3);
    assertThat(log.sent).hasSize(3);
    assertThat(demo.post(PATH + "/" + id + "/execute", "").status()).isEqualTo(202);
    instance(log).advanceAll(() -> {});
    assertThat(log.sent).as("executed again, nothing is written").hasSize(3);
    assertThat(demo.get("/audit-log?object_id=" + id).body().path("data").toString())
        .contains("dead_letter_replay.count")
        .contains("dead_letter_replay.execute")
        .contains("dead_letter_replay.complete");
    assertThat(demo.get(PATH + "?limit=1").body().path("data").path(0).path("id").asString())
        .isEqualTo(id);
  }

  @Test
  void ofTwoInstancesOneWorksAndTheOtherLeavesItAlone() throws Exception {
    write(4);
    String id = create("{}");
    instance(log).advanceAll(() -> {});
    demo.post(PATH + "/" + id + "/execute", "");
    CountDownLatch isWriting = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    log.beforeWrite =
        () -> {
          isWriting.countDown();
          try {
            mayGoOn.await();
          } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
          }
        };
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      Future<?> first = other.submit(() -> instance(log).advanceAll(() -> {}));
      isWriting.await();
      TestingReplayLog untouched = new TestingReplayLog();
      untouched.beforeWrite =
          () -> {
            throw new AssertionError("both work on it");
          };
      untouched.letters.addAll(log.letters);
      instance(untouched).advanceAll(() -> {});
      mayGoOn.countDown();
      first.get();
    } finally {
      mayGoOn.countDown();
      other.shutdown();
    }
    assertThat(read(id).path("state").asString()).isEqualTo("completed");
    assertThat(log.sent).hasSize(4);
  }

  @Test
  void anotherInstanceGoesOnWhereOneDied() {
    write(5);
    String id = create("{}");
    instance(log).advanceAll(() -> {});
    demo.post(PATH + "/" + id + "/execute", "");
    log.beforeWrite =
        () -> {
          if (log.sent.size() == 2) {
            throw new Error("the process ends");
          }
        };
    try {
      instance(log).advanceAll(() -> {});
    } catch (Error died) {
      assertThat(died).hasMessage("the process ends");
    }
    log.beforeWrite = () -> {};
    instance(log).advanceAll(() -> {});
    assertThat(log.sent).as("the claim of the dead one still holds").hasSize(2);
    instance(log, Clock.offset(platform.bean(Clock.class), Duration.ofMinutes(3)))
        .advanceAll(() -> {});

    JsonNode done = read(id);
    assertThat(done.path("state").asString()).isEqualTo("completed");
    assertThat(done.path("counts").path(0).path("letters").asLong()).isEqualTo(5);
    assertThat(log.sent).hasSize(5);
  }

  @Test
  void whatIsTooLargeFailsAndWhatIsAwayIsTriedAgain() {
    String tooLarge = create("{}");
    TestingReplayLog away = new TestingReplayLog();
    ReplayLog failing = new FailingLetters(away, ErrorCode.STORE_UNAVAILABLE);
    instance(failing).advanceAll(() -> {});
    assertThat(read(tooLarge).path("state").asString()).isEqualTo("counting");
    Clock later = Clock.offset(platform.bean(Clock.class), Duration.ofMinutes(1));
    instance(new FailingLetters(away, ErrorCode.CONFLICT), later).advanceAll(() -> {});
    JsonNode failed = read(tooLarge);
    assertThat(failed.path("state").asString()).isEqualTo("failed");
    assertThat(failed.path("failure").asString()).isEqualTo("There are too many.");
    assertThat(demo.post(PATH + "/" + tooLarge + "/execute", "").status()).isEqualTo(409);
  }

  private static final class FailingLetters implements ReplayLog {
    private final TestingReplayLog log;
    private final ErrorCode code;

    FailingLetters(TestingReplayLog log, ErrorCode code) {
      this.log = log;
      this.code = code;
    }

    @Override
    public java.util.List<OffsetRange> letters(Instant writtenFrom) {
      throw ProblemException.of(code, "There are too many.");
    }

    @Override
    public void read(
        java.util.List<OffsetRange> ranges,
        java.util.function.Consumer<io.tidemark.contracts.deadletter.v1.DeadLetter> each,
        java.util.function.Consumer<Long> read) {
      log.read(ranges, each, read);
    }

    @Override
    public void notes(java.util.function.BiConsumer<String, String> each) {
      log.notes(each);
    }

    @Override
    public Writer open() {
      return log.open();
    }
  }

  @Test
  void aSelectionThatCannotBeMeantIsRefusedWithAllFaults() {
    Answer refused =
        demo.post(
            PATH,
            "{\"reasons\":[\"NO_SUCH\"],\"received_from\":\"2020-01-01T00:00:00Z\","
                + "\"received_to\":\"2019-01-01T00:00:00Z\"}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body().toString())
        .contains("NO_SUCH")
        .contains("received_from must be before received_to")
        .contains("dead letters are kept for 30 days");
  }

  @Test
  void whoMayNotSendMayLookAndNotReplay() {
    String account =
        demo.post("/service-accounts", "{\"display_name\":\"Looks\",\"role\":\"metrics_viewer\"}")
            .body()
            .path("id")
            .asString();
    String secret =
        demo.post(
                "/service-accounts/" + account + "/api-keys",
                "{\"environment_id\":\"env-demo\",\"scopes\":[\"catalog:read\"]}")
            .body()
            .path("secret")
            .asString();
    ControlApi viewer = new ControlApi(platform, "org-demo", secret);
    assertThat(viewer.get(PATH).status()).isEqualTo(200);
    assertThat(viewer.post(PATH, "{}").status()).isEqualTo(403);
    assertThat(viewer.post(PATH + "/dlr-x/execute", "").status()).isEqualTo(403);
  }
}
