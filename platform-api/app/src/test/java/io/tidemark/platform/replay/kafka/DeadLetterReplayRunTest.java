package io.tidemark.platform.replay.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.contracts.deadletter.replay.ReplayCandidate;
import io.tidemark.contracts.deadletter.v1.Reason;
import io.tidemark.platform.replay.DeadLetterReplay;
import io.tidemark.platform.replay.DeadLetterReplay.State;
import io.tidemark.platform.replay.OffsetRange;
import io.tidemark.platform.replay.ReplayCount;
import io.tidemark.platform.replay.ReplayProperties;
import io.tidemark.platform.replay.ReplayRunner;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

/** What a replay counts and puts back: each letter once, of its own environment, in bounds. */
class DeadLetterReplayRunTest {

  private static final TenantId TENANT = new TenantId("org-a");
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant RECEIVED = NOW.minusSeconds(60);

  private final TestingReplayLog log = new TestingReplayLog();
  private final List<Long> read = new ArrayList<>();

  private static ReplayProperties properties(int letters, long bytes, long records) {
    return new ReplayProperties(
        "",
        "points",
        "letters",
        "replays",
        Duration.ofSeconds(1),
        Duration.ofDays(30),
        letters,
        DataSize.ofBytes(bytes),
        records);
  }

  private static DeadLetterReplay replay(String id, List<OffsetRange> ranges, String... reasons) {
    return new DeadLetterReplay(
        id,
        new EnvironmentId("env-a"),
        State.COUNTING,
        List.of(reasons),
        NOW.minusSeconds(3600),
        NOW,
        NOW,
        null,
        null,
        ranges,
        List.of(),
        0,
        0,
        null);
  }

  private DeadLetterReplayRun run(ReplayProperties properties, DeadLetterReplay replay) {
    return new DeadLetterReplayRun(
        log, properties, TENANT, replay, NOW, (done, toRead) -> read.add(done));
  }

  private DeadLetterReplayRun run(DeadLetterReplay replay) {
    return run(properties(100, 1_000_000, 1_000), replay);
  }

  private void write(int letters) {
    for (int i = 0; i < letters; i++) {
      log.letters.add(TestingReplayLog.late("org-a", "env-a", i, RECEIVED));
    }
  }

  @Test
  void countingWritesNothingAndLeavesOutWhatIsAnothers() {
    write(2);
    log.letters.add(TestingReplayLog.late("org-b", "env-a", 7, RECEIVED));
    log.letters.add(TestingReplayLog.late("org-a", "env-b", 8, RECEIVED));
    log.letters.add(TestingReplayLog.late("org-a", "env-a", 9, NOW));
    log.letters.add(
        TestingReplayLog.late("org-a", "env-a", 10, RECEIVED).toBuilder()
            .setReason(Reason.REASON_METRIC_TYPE_UNSUPPORTED)
            .build());

    ReplayRunner.Result result = run(replay("dlr-1", List.of())).count();

    assertThat(result.counts())
        .containsExactly(
            new ReplayCount(
                "METRIC_TYPE_UNSUPPORTED", "not_replayable", "the metric has no points", 1, 1),
            new ReplayCount("TOO_LATE", "to_replay", null, 2, 2));
    assertThat(result.ranges()).containsExactly(new OffsetRange(0, 0, 6));
    assertThat(log.notes).isEmpty();
    assertThat(read).startsWith(0L).endsWith(12L).isSorted();
    assertThat(run(replay("dlr-1", List.of(), "UNDECODABLE")).count().counts()).isEmpty();
  }

  @Test
  void whatWasCountedIsPutBackOnceAndWhatCameLaterIsNot() {
    write(3);
    DeadLetterReplay counted = replay("dlr-1", run(replay("dlr-1", List.of())).count().ranges());
    write(5);

    assertThat(run(counted).execute().counts())
        .containsExactly(new ReplayCount("TOO_LATE", "replayed", null, 3, 3));
    assertThat(log.sent).hasSize(3);
    assertThat(log.sent.get(0).receivedAtUnixMs())
        .as("judged by the retention of now")
        .isEqualTo(NOW.toEpochMilli());
    // The same five again, of which three are at the places of the first.
    assertThat(run(replay("dlr-2", List.of())).count().counts())
        .containsExactly(
            new ReplayCount("TOO_LATE", "to_replay", null, 2, 2),
            new ReplayCount("TOO_LATE", "replayed_before", null, 6, 6));
  }

  @Test
  void oneThatStoppedHalfWayGoesOnAndCountsAll() {
    write(5);
    DeadLetterReplay counted = replay("dlr-1", run(replay("dlr-1", List.of())).count().ranges());
    log.beforeWrite =
        () -> {
          if (log.sent.size() == 2) {
            throw new IllegalStateException("stopped");
          }
        };
    assertThatThrownBy(() -> run(counted).execute()).hasMessage("stopped");
    assertThat(log.sent).hasSize(2);
    log.beforeWrite = () -> {};

    assertThat(run(counted).execute().counts())
        .containsExactly(new ReplayCount("TOO_LATE", "replayed", null, 5, 5));
    assertThat(log.sent.stream().map(ReplayCandidate.Batch::batchId).distinct()).hasSize(5);
    assertThat(log.sent).hasSize(5);
  }

  @Test
  void ofTwoAtATimeTheOlderStopsAndNothingIsWrittenTwice() {
    write(4);
    List<OffsetRange> ranges = run(replay("dlr-1", List.of())).count().ranges();
    boolean[] isTaken = {false};
    log.beforeWrite =
        () -> {
          if (!isTaken[0]) {
            isTaken[0] = true;
            run(replay("dlr-2", ranges)).execute();
          }
        };

    assertThatThrownBy(() -> run(replay("dlr-1", ranges)).execute())
        .isInstanceOf(ReplayRunner.ReplayFencedException.class);
    assertThat(log.sent).hasSize(4);
    assertThat(log.notes.values()).containsOnly("dlr-2");
    assertThat(run(replay("dlr-1", ranges)).execute().counts())
        .containsExactly(new ReplayCount("TOO_LATE", "replayed_before", null, 4, 4));
    assertThat(log.sent).hasSize(4);
  }

  @Test
  void whatIsTooLargeIsRefusedBeforeAnythingIsWritten() {
    write(5);
    DeadLetterReplay all = replay("dlr-1", List.of(new OffsetRange(0, 0, 5)));
    assertThatThrownBy(() -> run(properties(4, 1_000_000, 1_000), all).execute())
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("More than 4 letters fit");
    assertThatThrownBy(() -> run(properties(100, 20, 1_000), all).execute())
        .hasMessageContaining("hold more than 20B");
    assertThatThrownBy(() -> run(properties(100, 1_000_000, 4), all).execute())
        .hasMessageContaining("too many dead letters since");
    assertThat(log.sent).isEmpty();
    assertThat(run(properties(5, 1_000_000, 5), all).execute().counts()).hasSize(1);
  }
}
