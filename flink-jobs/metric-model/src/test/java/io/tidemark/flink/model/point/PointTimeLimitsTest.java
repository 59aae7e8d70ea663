package io.tidemark.flink.model.point;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.flink.model.budget.Retention;
import io.tidemark.flink.model.reject.RejectionReason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PointTimeLimitsTest {

  private static final long RECEIVED = 1_772_323_200_000L;
  private static final PointTimeLimits LIMITS =
      new PointTimeLimits(Duration.ofMillis(1_000), Duration.ofMillis(10));

  @ParameterizedTest
  @CsvSource({"0,true", "10,true", "11,false", "-1000,true", "-1001,false"})
  void limitsAreInclusive(long offsetMs, boolean accepted) {
    assertEquals(accepted, LIMITS.accepts((RECEIVED + offsetMs) * 1_000_000L, RECEIVED));
  }

  @ParameterizedTest
  @CsvSource({
    "10,",
    "11,TIMESTAMP_OUT_OF_RANGE",
    "-1000,",
    "-1001,TOO_LATE",
    "-1772323199999,TOO_LATE",
    "-1772323200000,TIMESTAMP_OUT_OF_RANGE",
    "-1772323200001,TIMESTAMP_OUT_OF_RANGE"
  })
  void reasonSaysOnWhichSideOfTheLimitsATimeLies(
      long offsetMs, @Nullable RejectionReason expected) {
    assertEquals(expected, LIMITS.rejection((RECEIVED + offsetMs) * 1_000_000L, RECEIVED));
  }

  /** Whatever the retention, no arithmetic goes round. */
  @ParameterizedTest
  @CsvSource({
    "1,true",
    "1772323200000000000,true",
    "0,false",
    "-9223372036854775808,false",
    "9223372036854775807,false"
  })
  void keptForEverMeansEveryTimeFrom1970On(long nanos, boolean accepted) {
    assertEquals(accepted, LIMITS.upTo(Retention.FOREVER.longestAgeMs()).accepts(nanos, RECEIVED));
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "-9223372036854775808", "9223372036854775807", "1"})
  void hostileTimesAreRefused(long nanos) {
    assertEquals(false, PointTimeLimits.DEFAULT.accepts(nanos, RECEIVED));
  }
}
