package io.tidemark.platform.completeness.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.completeness.CompletenessProgress;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ConfirmedWatermarkTest {

  private static final TopicPartition ROWS = new TopicPartition("rows", 0);
  private static final CompletenessProgress FIRST =
      CompletenessProgress.NOTHING.after(1_000, Map.of());
  private static final CompletenessProgress SECOND = FIRST.after(2_000, Map.of("org-b", 500L));
  private static final ConfirmedWatermark.Gap ROWS_BETWEEN = (partition, from, to) -> false;
  private static final ConfirmedWatermark.Gap MARKS_BETWEEN = (partition, from, to) -> true;

  private final ConfirmedWatermark reached = new ConfirmedWatermark();

  private CompletenessProgress look(CompletenessProgress stated, long end, long taken) {
    return reached
        .look(stated, () -> Map.of(ROWS, end), Map.of(ROWS, taken), ROWS_BETWEEN)
        .orElse(null);
  }

  @Test
  void aStatementIsUsedOnceTheStoreHasReadUpToWhereTheRowsEnded() {
    assertThat(look(FIRST, 10, 9)).isEqualTo(CompletenessProgress.NOTHING);
    // Rows that came since are not waited for.
    assertThat(look(FIRST, 50, 10)).isEqualTo(FIRST);
    assertThat(look(SECOND, 50, 49)).isEqualTo(FIRST);
    assertThat(look(SECOND, 90, 50)).isEqualTo(SECOND);
  }

  @Test
  void marksOfTransactionsAreNoRows() {
    assertThat(reached.look(FIRST, () -> Map.of(ROWS, 10L), Map.of(ROWS, 8L), MARKS_BETWEEN))
        .contains(FIRST);
  }

  @Test
  void aStoreThatFellBehindSaysNothingUntilItIsThereAgain() {
    assertThat(look(FIRST, 10, 10)).isEqualTo(FIRST);
    assertThat(look(FIRST, 10, 3)).isNull();
    assertThat(reached.look(FIRST, () -> Map.of(ROWS, 10L), Map.of(), ROWS_BETWEEN)).isEmpty();
    assertThat(look(FIRST, 10, 10)).isEqualTo(FIRST);
  }

  @Test
  void tenantsThatLagAreCompleteUpToLessAndNeverGoBack() {
    assertThat(SECOND.of("org-a")).isEqualTo(2_000);
    assertThat(SECOND.of("org-b")).isEqualTo(1_000);
    assertThat(SECOND.after(3_000, Map.of("org-b", 2_500L)).of("org-b")).isEqualTo(2_500);
    assertThat(SECOND.after(1_500, Map.of()).of("org-a")).isEqualTo(2_000);
    assertThat(SECOND.after(3_000, Map.of()).of("org-b")).isEqualTo(3_000);
  }
}
