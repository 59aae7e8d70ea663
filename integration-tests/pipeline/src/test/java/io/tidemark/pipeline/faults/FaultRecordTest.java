package io.tidemark.pipeline.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.pipeline.faults.FaultPlan.PlannedFault;
import io.tidemark.pipeline.faults.FaultRecord.Outcome;
import io.tidemark.pipeline.faults.FaultWatch.Notice;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A fault that lasts and of which nobody is told is found. */
class FaultRecordTest {
  private static final PlannedFault SLOW =
      new PlannedFault(FaultKind.SLOW_LINK, List.of("flink-to-kafka"), 500, 0, 150_000, 900);
  private static final PlannedFault KILL =
      new PlannedFault(FaultKind.KILL, List.of("kafka"), 500, 0, 2_000, 0);

  private final FaultRecord record = new FaultRecord(Duration.ofMinutes(2));

  private static Outcome outcome(int lastedSeconds, int... noticedAfter) {
    return new Outcome(
        Duration.ofSeconds(lastedSeconds),
        Duration.ofSeconds(20),
        noticedAfter.length == 0
            ? Optional.empty()
            : Optional.of(new Notice("kafka is down", Duration.ofSeconds(noticedAfter[0]))));
  }

  @Test
  void aLastingFaultIsUnnoticedWithoutALineAndWithOneThatComesTooLate() {
    record.add(SLOW, outcome(150));
    record.add(SLOW, outcome(150, 121));
    record.add(SLOW, outcome(150, 119));
    assertThat(record.unnoticed())
        .containsExactly(
            "slow link flink-to-kafka by 900 ms for 150.0 s, recovered 20.0 s after it; nothing was"
                + " said",
            "slow link flink-to-kafka by 900 ms for 150.0 s, recovered 20.0 s after it; said after"
                + " 121.0 s: kafka is down");
  }

  @Test
  void aFaultThatIsOverSoonMayGoUnnoticed() {
    record.add(SLOW, outcome(119));
    assertThat(record.unnoticed()).isEmpty();
  }

  @Test
  void onlyTheJobManagersClockMayDelayTheRestartOfAJobByAsMuchAsItWentBack() {
    for (FaultKind kind : List.of(FaultKind.CLOCK_BEHIND, FaultKind.CLOCK_AHEAD)) {
      for (String target : List.of("flink-jobmanager", "platform-api")) {
        record.add(new PlannedFault(kind, List.of(target), 500, 0, 2_000, 10_000), outcome(2, 1));
      }
    }
    assertThat(record.slowerThan(Duration.ofSeconds(10)))
        .hasSize(3)
        .noneMatch(line -> line.startsWith("clock behind flink-jobmanager"));
    assertThat(record.slowerThan(Duration.ofMillis(9_999))).hasSize(4);
  }

  @Test
  void kindsAreCountedApart() {
    record.add(SLOW, outcome(100));
    record.add(KILL, outcome(2, 1));
    record.add(KILL, outcome(4, 1));
    assertThat(record.byKind())
        .containsExactly(
            "kill              2, lasted 3.0 s on average, recovery median 20.0 s, longest 20.0 s,"
                + " noticed 2",
            "slow link         1, lasted 100.0 s on average, recovery median 20.0 s, longest 20.0"
                + " s, noticed 0",
            "2 kinds           3, lasted 35.3 s on average, recovery median 20.0 s, longest 20.0 s,"
                + " noticed 2");
    assertThat(record.slowerThan(Duration.ofSeconds(19))).hasSize(3);
    assertThat(record.slowerThan(Duration.ofSeconds(20))).isEmpty();
  }
}
