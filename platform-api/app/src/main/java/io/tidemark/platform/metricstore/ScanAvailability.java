package io.tidemark.platform.metricstore;

import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Whether all rows of parts can be read now. */
public final class ScanAvailability {

  private static final Duration RETRY_AFTER = Duration.ofSeconds(30);

  private ScanAvailability() {}

  /**
   * Refuses what could only be answered in half.
   *
   * @throws ProblemException {@code store_unavailable}
   */
  public static void check(StoreTierRanges ages, List<ScanSpec> parts) {
    for (ScanSpec part : parts) {
      IntervalSet missing = ages.missing(part);
      if (!missing.isEmpty()) {
        List<IntervalSet.Span> spans = missing.list();
        throw ProblemException.passing(
            null,
            ErrorCode.STORE_UNAVAILABLE,
            "Rows of "
                + part.source().datasource()
                + " from "
                + Instant.ofEpochMilli(spans.get(0).from())
                + " to "
                + Instant.ofEpochMilli(spans.get(spans.size() - 1).to())
                + " cannot be read now: Druid may not hold them any more, and it is not known that"
                + " the lake has them all. Try again later, or ask for a newer interval.",
            RETRY_AFTER);
      }
    }
  }
}
