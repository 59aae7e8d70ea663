package io.tidemark.pipeline.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
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

  private static List<String> growth(List<SoakTrend.Look> looks) {
    return SoakTrend.growth(looks, Map.of());
  }

  @Test
  void aHeapThatFillsUpInTheFirstThirdIsFlat() {
    assertThat(growth(looks(minute -> Math.min(500L, 200 + 20L * minute), m -> 12.0))).isEmpty();
  }

  @Test
  void memoryThatGrowsToTheEndIsTold() {
    assertThat(growth(looks(minute -> 300 + 10L * minute, minute -> 12.0)))
        .singleElement()
        .asString()
        .startsWith("kafka held");
  }

  /** Which comes when an hour is two hours old, so at any time. */
  @Test
  void whatTakesMoreOnceIsNoTrend() {
    for (int at = 20; at < LOOKS; at++) {
      int step = at;
      assertThat(growth(looks(minute -> minute > step ? 693L : 365L, minute -> 12.0)))
          .as("at look " + at)
          .isEmpty();
    }
  }

  @Test
  void whatTakesMoreOnceAndGoesOnGrowingIsTold() {
    assertThat(growth(looks(minute -> (minute > 42 ? 656L : 362L) + 6L * minute, minute -> 12.0)))
        .hasSize(1);
  }

  @Test
  void whatTakesMoreAgainAndAgainIsTold() {
    assertThat(growth(looks(minute -> 400 + 60L * (minute / 10), minute -> 12.0))).hasSize(1);
  }

  /** A compaction of the first full hours, in several steps. */
  @Test
  void aHeapThatFillsUpLateIsFlat() {
    List<SoakTrend.Look> looks =
        looks(look -> look < 44 ? 353L : Math.min(668L, 353 + 60L * (look - 43)), look -> 12.0);
    assertThat(SoakTrend.growth(looks, Map.of("kafka", 712L))).isEmpty();
    assertThat(growth(looks)).hasSize(1);
  }

  @Test
  void memoryThatGrowsBeyondTheHeapIsTold() {
    assertThat(
            SoakTrend.growth(
                looks(minute -> 300 + 10L * minute, minute -> 12.0), Map.of("kafka", 600L)))
        .hasSize(1);
  }

  @Test
  void whatIsNeededForAMomentIsNoTrend() {
    assertThat(SoakTrend.growthOfLive(live(60, 60, 180, 61, 190, 62, 60, 200))).isEmpty();
  }

  @Test
  void whatIsNeededMoreAndMoreIsTold() {
    assertThat(SoakTrend.growthOfLive(live(60, 70, 80, 90, 100, 110, 120, 130)))
        .containsExactly("kafka needed 60 MiB of its heap and needs 100");
  }

  private static List<Map<String, Long>> live(long... collections) {
    return LongStream.of(collections).mapToObj(each -> Map.of("kafka", each)).toList();
  }

  @Test
  void lagThatGrowsIsTold() {
    assertThat(growth(looks(minute -> 300L, minute -> 10.0 + minute)))
        .singleElement()
        .asString()
        .contains("behind");
  }

  /** As looks come twice a minute, and one of them a little too early. */
  @Test
  void answersThatAreCompleteUpToWholeMinutesAreFlat() {
    assertThat(growth(looks(look -> 300L, look -> look % 2 == 0 || look == 21 ? 18.7 : 48.7)))
        .isEmpty();
  }

  @Test
  void aStallOfAFewMinutesIsNoTrend() {
    assertThat(growth(looks(minute -> 300L, minute -> minute > 54 ? 90.0 : 12.0))).isEmpty();
  }

  @Test
  void fewLooksAreRefused() {
    assertThatThrownBy(() -> growth(looks(m -> 1L, m -> 1.0).subList(0, 5)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
