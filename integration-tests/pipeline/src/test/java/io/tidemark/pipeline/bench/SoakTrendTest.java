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

  @Test
  void whatTakesMoreOnceIsNoTrend() {
    assertThat(SoakTrend.growth(looks(minute -> minute > 42 ? 656L : 362L, minute -> 12.0)))
        .isEmpty();
  }

  @Test
  void lagThatGrowsIsTold() {
    assertThat(SoakTrend.growth(looks(minute -> 300L, minute -> 10.0 + minute)))
        .singleElement()
        .asString()
        .contains("behind");
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
