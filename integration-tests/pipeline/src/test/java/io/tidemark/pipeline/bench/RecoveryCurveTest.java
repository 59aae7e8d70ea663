package io.tidemark.pipeline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.pipeline.bench.RecoveryCurve.Observation;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecoveryCurveTest {
  private static RecoveryCurve curve(Observation... seen) {
    return new RecoveryCurve("kafka", 100, List.of(seen));
  }

  @Test
  void answersAreWholeWhenTheyHoldAllAndSaySo() {
    RecoveryCurve curve =
        curve(
            new Observation(0, 90, true),
            new Observation(5, 100, false),
            new Observation(8, 100, true));
    assertThat(curve.counted()).hasValue(5);
    assertThat(curve.whole()).hasValue(8);
  }

  /** An indexer that was killed a moment ago may still be believed. */
  @Test
  void answersThatLackSomethingAgainWereNotWhole() {
    assertThat(
            curve(
                    new Observation(1, 100, true),
                    new Observation(2, 40, false),
                    new Observation(9, 100, true))
                .whole())
        .hasValue(9);
    assertThat(curve(new Observation(1, 100, true), new Observation(2, 40, false)).whole())
        .isEmpty();
  }

  @Test
  void moreThanWasSentIsNotWhole() {
    RecoveryCurve curve = curve(new Observation(1, 103, true));
    assertThat(curve.whole()).isEmpty();
    assertThat(curve.surplus()).isEqualTo(3);
    assertThat(curve(new Observation(1, 40, false)).surplus()).isZero();
  }

  @Test
  void theLineFallsAsPointsComeBack() {
    assertThat(
            curve(
                    new Observation(1, 0, false),
                    new Observation(2, 50, false),
                    new Observation(3, 100, true))
                .line())
        .isEqualTo("kafka: lacking over 3 s █▅▁");
  }

  @Test
  void thePictureHasAFieldForEachFaultAndACurveForEachRound() {
    String svg =
        new RecoveryPicture(
                List.of(
                    curve(new Observation(0, 100, true), new Observation(30, 100, true)),
                    curve(new Observation(0, 0, false), new Observation(120, 100, false)),
                    new RecoveryCurve("restart", 100, List.of(new Observation(40, 100, true)))))
            .drawing()
            .text();
    assertThat(svg.split("<polyline", -1)).hasSize(1 + 3);
    assertThat(svg.split(" stroke-dasharray", -1)).as("60 s").hasSize(1 + 2);
    assertThat(svg.split("<circle", -1)).as("whole").hasSize(1 + 2);
    assertThat(svg).contains(">kafka<", ">restart<", ">120 s<");
  }

  @Test
  void faultsAreComponentsAndThreeMore() {
    List<String> components = List.of("kafka", "postgres");
    assertThat(RecoveryFault.of("", components).stream().map(RecoveryFault::name))
        .containsExactly("none", "kafka", "postgres", "restart", "all");
    assertThat(RecoveryFault.of("restart,kafka", components).stream().map(RecoveryFault::name))
        .containsExactly("restart", "kafka");
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () -> RecoveryFault.of("kafka,druid", components))
        .hasMessageContaining("no component druid")
        .hasMessageContaining("postgres");
  }
}
