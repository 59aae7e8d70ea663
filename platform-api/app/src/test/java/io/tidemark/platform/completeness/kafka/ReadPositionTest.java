package io.tidemark.platform.completeness.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.completeness.ReadProgress;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What was acknowledged before a time is read when the end of then is passed. */
class ReadPositionTest {

  private static final Instant BEGIN = Instant.parse("2026-11-30T12:00:00Z");

  private final ReadPosition position = new ReadPosition(BEGIN);

  private static Instant second(int second) {
    return BEGIN.plusSeconds(second);
  }

  private void look(int second, Map<Integer, Long> ends, Map<Integer, Long> read) {
    position.look(second(second), ends, read);
  }

  private ReadProgress at(int second) {
    return position.at(second(second));
  }

  @Test
  void anEndIsPassedInEveryPartition() {
    look(0, Map.of(0, 10L, 1, 20L), Map.of(0, 5L, 1, 20L));
    assertThat(at(1).until()).isEmpty();
    look(5, Map.of(0, 12L, 1, 30L), Map.of(0, 10L, 1, 19L));
    assertThat(at(6).until()).isEmpty();
    look(10, Map.of(0, 12L, 1, 31L), Map.of(0, 11L, 1, 30L));
    assertThat(at(11).until()).contains(second(0));
    look(15, Map.of(0, 12L, 1, 31L), Map.of(0, 12L, 1, 31L));
    assertThat(at(16).until()).as("nothing is left").contains(second(15));
  }

  @Test
  void aPartitionThatNobodyReadYetIsUnreadWhenItHasRecords() {
    look(0, Map.of(0, 1L, 1, 0L), Map.of());
    assertThat(at(1).until()).isEmpty();
    look(5, Map.of(0, 1L, 1, 0L), Map.of(0, 1L));
    assertThat(at(6).until()).contains(second(5));
  }

  @Test
  void aReaderIsBehindWhenItsTimeIsOld() {
    look(0, Map.of(0, 10L), Map.of(0, 10L));
    assertThat(at(30).isBehind()).isFalse();
    assertThat(at(31)).isEqualTo(new ReadProgress(at(0).until(), true));
    look(40, Map.of(0, 90L), Map.of(0, 50L));
    assertThat(at(41).isBehind()).isTrue();
    look(60, Map.of(0, 99L), Map.of(0, 90L));
    assertThat(at(61)).isEqualTo(new ReadProgress(java.util.Optional.of(second(40)), false));
  }

  @Test
  void aProcessThatDoesNotKnowSaysSoAfterAWhile() {
    assertThat(at(30)).isEqualTo(ReadProgress.NOT_LOOKED_AT);
    look(0, Map.of(0, 10L), Map.of(0, 9L));
    assertThat(at(31).isBehind()).isTrue();
    assertThat(at(31).until()).isEmpty();
  }

  /** A day of backlog takes no memory, and its end is still found. */
  @Test
  void aLongBacklogIsFollowedInLongerSteps() {
    int last = 20_000;
    for (int i = 0; i <= last; i += 5) {
      look(i, Map.of(0, 100L + i), Map.of(0, 0L));
    }
    look(last + 5, Map.of(0, 1_000_000L), Map.of(0, 100L + last / 2));
    Instant half = at(last + 5).until().orElseThrow();
    assertThat(half).isBetween(second(last / 4), second(last / 2));
    look(last + 10, Map.of(0, 1_000_000L), Map.of(0, 100L + last));
    Instant most = at(last + 10).until().orElseThrow();
    assertThat(most).isBetween(second(last - last / 32), second(last));
    look(last + 15, Map.of(0, 1_000_000L), Map.of(0, 1_000_000L));
    assertThat(at(last + 15).until()).contains(second(last + 15));
  }
}
