package io.tidemark.pipeline.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SoakTrendTest {
  private static final int LOOKS = 60;

  private static List<SoakTrend.Look> looks(
      IntFunction<Long> resident, IntFunction<Double> behind) {
    return IntStream.range(0, LOOKS)
        .mapToObj(
            minute ->
                new SoakTrend.Look(
                    minute, Map.of("kafka", resident.apply(minute)), behind.apply(minute), 0))
        .toList();
  }

  @Test
  void aHeapThatFillsUpInTheFirstThirdIsFlat() {
    assertThat(SoakTrend.growth(looks(minute -> Math.min(500L, 200 + 20L * minute), m -> 12.0)))
        .isEmpty();
  }

  @Test
  void memoryThatGrowsToTheEndIsTold() {
    assertThat(SoakTrend.growth(looks(minute -> 300 + 10L * minute, minute -> 12.0)))
        .singleElement()
        .asString()
        .startsWith("kafka held");
  }

  /** Which comes when an hour is two hours old, so at any time. */
  @Test
  void whatTakesMoreOnceIsNoTrend() {
    for (int at = 20; at < LOOKS; at++) {
      int step = at;
      assertThat(SoakTrend.growth(looks(minute -> minute > step ? 693L : 365L, minute -> 12.0)))
          .as("at look " + at)
          .isEmpty();
    }
  }

  @Test
  void whatTakesMoreOnceAndGoesOnGrowingIsTold() {
    assertThat(
            SoakTrend.growth(
                looks(minute -> (minute > 42 ? 656L : 362L) + 6L * minute, minute -> 12.0)))
        .hasSize(1);
  }

  @Test
  void whatTakesMoreAgainAndAgainIsTold() {
    assertThat(SoakTrend.growth(looks(minute -> 400 + 60L * (minute / 10), minute -> 12.0)))
        .hasSize(1);
  }

  @Test
  void lagThatGrowsIsTold() {
    assertThat(SoakTrend.growth(looks(minute -> 300L, minute -> 10.0 + minute)))
        .singleElement()
        .asString()
        .contains("behind");
  }

  /** As looks come twice a minute, and one of them a little too early. */
  @Test
  void answersThatAreCompleteUpToWholeMinutesAreFlat() {
    assertThat(
            SoakTrend.growth(
                looks(look -> 300L, look -> look % 2 == 0 || look == 21 ? 18.7 : 48.7)))
        .isEmpty();
  }

  @Test
  void aStallOfAFewMinutesIsNoTrend() {
    assertThat(SoakTrend.growth(looks(minute -> 300L, minute -> minute > 54 ? 90.0 : 12.0)))
        .isEmpty();
  }

  @Test
  void fewLooksAreRefused() {
    assertThatThrownBy(() -> SoakTrend.growth(looks(m -> 1L, m -> 1.0).subList(0, 5)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
