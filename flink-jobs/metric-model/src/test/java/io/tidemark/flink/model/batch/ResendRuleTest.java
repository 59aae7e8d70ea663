package io.tidemark.flink.model.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResendRuleTest {

  private static final long HOUR = 3_600_000L;
  private static final long RECEIVED = 1_772_323_200_000L;
  private static final long PROCESSED = RECEIVED + 5_000;
  private static final FirstReceipt FIRST = new FirstReceipt(RECEIVED, PROCESSED);

  @ParameterizedTest
  @CsvSource({"0,true", "3600000,true", "3600001,false", "-1,true"})
  void receiveTimesDecide(long laterBy, boolean resend) {
    assertEquals(resend, ResendRule.DEFAULT.isResend(FIRST, RECEIVED + laterBy));
  }

  @ParameterizedTest
  @CsvSource({
    // wall clock hours, watermark hours, forgettable
    "0.9, 2.0, false",
    "1.0, 1.1, true",
    "1.0, 0.5, false", // the job is behind: a resend may still be unread
    "5.0, -1.0, false",
    "24.0, -1.0, true" // bounded, whatever the stream does
  })
  void receiptIsKeptUntilNoResendCanFollow(
      double clockHours, double watermarkHours, boolean forgettable) {
    assertEquals(
        forgettable,
        ResendRule.DEFAULT.isForgettable(
            FIRST,
            RECEIVED + (long) (watermarkHours * HOUR),
            PROCESSED + (long) (clockHours * HOUR)));
  }
}
