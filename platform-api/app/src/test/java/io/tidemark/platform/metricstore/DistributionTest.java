package io.tidemark.platform.metricstore;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DistributionTest {

  private static double middle(int bucket) {
    Distribution one = new Distribution();
    one.add("3|" + bucket + ":1", 1);
    return one.quantile(0.5);
  }

  @Test
  void rangesOfBucketsMeetAndHoldTheirMiddles() {
    for (int bucket = -2048; bucket <= 2048; bucket++) {
      assertThat(middle(bucket)).isBetween(Distribution.lower(bucket), Distribution.upper(bucket));
      if (bucket < 2048) {
        assertThat(Distribution.upper(bucket)).isEqualTo(Distribution.lower(bucket + 1));
      }
    }
  }

  @Test
  void boundsOfDoublingsAreExact() {
    assertThat(Distribution.lower(1025)).isEqualTo(1.0);
    assertThat(Distribution.upper(1032)).isEqualTo(2.0);
    assertThat(Distribution.lower(-1032)).isEqualTo(-2.0);
    assertThat(Distribution.upper(-1025)).isEqualTo(-1.0);
    assertThat(Distribution.upper(0)).isEqualTo(StrictMath.pow(2, -128));
    assertThat(Distribution.upper(2048)).isEqualTo(StrictMath.pow(2, 128));
  }
}
