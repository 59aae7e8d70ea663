package io.tidemark.platform.metricstore;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AggregateStateTest {

  /** Observations in the bucket whose middle is 2^(1/16); of an explicit histogram far from it. */
  private static AggregateState observed(double min, double max) {
    AggregateState figures = new AggregateState();
    figures.min = min;
    figures.max = max;
    figures.distribution = new Distribution();
    figures.distribution.add("3|1025:10", 1);
    return figures;
  }

  private static double estimate() {
    return observed(Double.NaN, Double.NaN).value(AggregationFunction.P95);
  }

  @Test
  void aQuantileIsWithinTheLeastAndTheGreatestValue() {
    assertThat(estimate()).isBetween(1.0, 1.1);
    assertThat(observed(0.2, 0.5).value(AggregationFunction.P95)).isEqualTo(0.5);
    assertThat(observed(3, 4).value(AggregationFunction.P50)).isEqualTo(3);
    assertThat(observed(0.2, 4).value(AggregationFunction.P95)).isEqualTo(estimate());
  }

  @Test
  void extremesOfSomeObservationsSayNothingOfOthers() {
    AggregateState first = observed(Double.NaN, Double.NaN);
    first.add(observed(0.2, 0.5));
    assertThat(first.value(AggregationFunction.P95)).isEqualTo(estimate());
    AggregateState last = observed(0.2, 0.5);
    last.add(observed(0.2, Double.NaN));
    last.add(observed(0.2, 0.5));
    assertThat(last.value(AggregationFunction.P95)).isEqualTo(estimate());
    AggregateState all = new AggregateState();
    all.add(observed(0.2, 0.5));
    all.add(observed(0.1, 0.7));
    assertThat(all.value(AggregationFunction.P95)).isEqualTo(0.7);
  }

  /** Rows without observations, such as of an empty minute, have no extremes and take none away. */
  @Test
  void rowsWithoutADistributionDoNotMatter() {
    AggregateState figures = observed(0.2, 0.5);
    figures.add(new AggregateState());
    assertThat(figures.value(AggregationFunction.P95)).isEqualTo(0.5);
    assertThat(new AggregateState().value(AggregationFunction.P95)).isNaN();
  }
}
