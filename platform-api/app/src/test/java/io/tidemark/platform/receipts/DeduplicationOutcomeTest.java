package io.tidemark.platform.receipts;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.receipts.DeduplicationOutcome.Copy;
import io.tidemark.platform.receipts.Receipt.Rejected;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeduplicationOutcomeTest {

  private static Copy copy(String time, long points) {
    return new Copy(Instant.parse("2026-01-01T" + time + "Z"), points, Map.of(), Map.of());
  }

  private static Copy copy(String time, long points, Map<String, Long> setAside) {
    return new Copy(Instant.parse("2026-01-01T" + time + "Z"), points, Map.of(), setAside);
  }

  @Test
  void copiesWithinAnHourCountOnce() {
    DeduplicationOutcome copies =
        new DeduplicationOutcome(
            List.of(copy("10:00:00", 7), copy("10:00:01", 7), copy("11:00:00", 7)));
    assertThat(copies.accepted()).isEqualTo(7);
    assertThat(copies.counted()).isEqualTo(1);
    assertThat(copies.duplicates()).isEqualTo(2);
    assertThat(copies.lastDuplicateAt()).isEqualTo("2026-01-01T11:00:00Z");
    assertThat(copies.rejected()).isEmpty();
  }

  @Test
  void aCopyAfterMoreThanAnHourCountsAgain() {
    DeduplicationOutcome copies =
        new DeduplicationOutcome(
            List.of(copy("10:00:00", 7), copy("11:00:00.001", 7), copy("12:00:00", 7)));
    assertThat(copies.accepted()).isEqualTo(14);
    assertThat(copies.counted()).isEqualTo(2);
    assertThat(copies.duplicates()).isEqualTo(1);
  }

  @Test
  void whatThePipelineSetAsideDoesNotCount() {
    DeduplicationOutcome copies =
        new DeduplicationOutcome(
            List.of(
                new Copy(
                    Instant.EPOCH,
                    10,
                    Map.of("VALUE_NOT_FINITE", 2L),
                    Map.of("TOO_LATE", 3L, "BUDGET_EXCEEDED", 1L))));
    assertThat(copies.accepted()).isEqualTo(6);
    assertThat(copies.rejected())
        .containsExactly(
            new Rejected("VALUE_NOT_FINITE", 2, true),
            new Rejected("BUDGET_EXCEEDED", 1, false),
            new Rejected("TOO_LATE", 3, false));
  }

  @Test
  void aCopyOfATenantThatDoesNotExistIsNotRememberedSoTheNextOneCounts() {
    DeduplicationOutcome copies =
        new DeduplicationOutcome(
            List.of(copy("10:00:00", 7, Map.of("UNKNOWN_TENANT", 7L)), copy("10:00:10", 7)));
    assertThat(copies.accepted()).isEqualTo(7);
    assertThat(copies.counted()).isEqualTo(1);
    assertThat(copies.duplicates()).isZero();
    assertThat(copies.rejected()).containsExactly(new Rejected("UNKNOWN_TENANT", 7, false));
  }

  @Test
  void moreSetAsideThanThereWereIsNotNegative() {
    assertThat(
            new DeduplicationOutcome(List.of(copy("10:00:00", 1, Map.of("TOO_LATE", 5L))))
                .accepted())
        .isZero();
  }
}
