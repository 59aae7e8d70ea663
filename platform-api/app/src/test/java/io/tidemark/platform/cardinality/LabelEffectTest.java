package io.tidemark.platform.cardinality;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.cardinality.LabelEffect.Action;
import io.tidemark.platform.cardinality.LabelEffect.LevelRows;
import io.tidemark.platform.metricstore.SeriesCounter.ReducedSeries;
import io.tidemark.platform.metricstore.Source;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What dropping and splitting a label does to rows, from counts with fewer labels. */
class LabelEffectTest {

  private static final Set<String> LABELS = Set.of("metric.pod", "metric.route");
  private static final Duration HOUR = Duration.ofHours(1);

  private final Map<Set<String>, ReducedSeries> counts = new HashMap<>();

  private LabelEffect effect(Action action, Set<String> split) {
    counts.put(LABELS, new ReducedSeries(1_000, 60_000));
    counts.put(Set.of("metric.route"), new ReducedSeries(10, 600));
    counts.put(Set.of("metric.pod"), new ReducedSeries(100, 6_000));
    counts.put(Set.of(), new ReducedSeries(1, 60));
    return LabelEffect.of(action, "metric.pod", LABELS, split, HOUR, counts::get);
  }

  @Test
  void aDroppedLabelIsInNoRow() {
    LabelEffect effect = effect(Action.DROP, Set.of());
    assertThat(effect.series()).isEqualTo(1_000);
    assertThat(effect.seriesAfter()).isEqualTo(10);
    assertThat(effect.levels())
        .containsExactly(
            new LevelRows(Source.MINUTES, 1_440_000, 14_400),
            new LevelRows(Source.HOURS, 24_000, 240),
            new LevelRows(Source.DAYS, 1_000, 10));
  }

  @Test
  void aSplitLabelStaysInRowsInDetailAlone() {
    LabelEffect effect = effect(Action.SPLIT, Set.of());
    assertThat(effect.levels())
        .containsExactly(
            new LevelRows(Source.MINUTES, 1_440_000, 14_400),
            new LevelRows(Source.MINUTES_IN_DETAIL, 0, 1_440_000),
            new LevelRows(Source.HOURS, 24_000, 240),
            new LevelRows(Source.DAYS, 1_000, 10));
  }

  @Test
  void dropsOfASplitLabelSaveTheRowsInDetailOnly() {
    LabelEffect effect = effect(Action.DROP, Set.of("metric.pod"));
    assertThat(effect.levels())
        .containsExactly(
            new LevelRows(Source.MINUTES, 14_400, 14_400),
            // Nothing is split any more.
            new LevelRows(Source.MINUTES_IN_DETAIL, 1_440_000, 0),
            new LevelRows(Source.HOURS, 240, 240),
            new LevelRows(Source.DAYS, 10, 10));
  }

  @Test
  void beyondAnotherSplitLabelBothAreReduced() {
    LabelEffect effect = effect(Action.SPLIT, Set.of("metric.route"));
    assertThat(effect.series()).isEqualTo(100);
    assertThat(effect.seriesAfter()).isEqualTo(1);
    assertThat(effect.levels().get(1))
        .isEqualTo(new LevelRows(Source.MINUTES_IN_DETAIL, 1_440_000, 1_440_000));
  }

  @Test
  void rowsOfAShortWindowAreCarriedForwardToADay() {
    LabelEffect effect =
        LabelEffect.of(
            Action.DROP,
            "metric.pod",
            LABELS,
            Set.of(),
            Duration.ofMinutes(1),
            labels -> new ReducedSeries(7, 7));
    assertThat(effect.levels().get(0)).isEqualTo(new LevelRows(Source.MINUTES, 10_080, 10_080));
  }
}
