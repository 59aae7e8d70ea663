package io.tidemark.stack;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How the Metrics API answers a query for metrics that the stack reports of itself.
 *
 * @param isWithout it did not answer, or with an error
 * @param took from the question to the answer
 * @param behind how long ago points are no longer known to be complete; empty when that is not
 *     known
 */
record OwnAnswer(boolean isWithout, Duration took, Optional<Duration> behind) {
  private static final OwnAnswer NONE = new OwnAnswer(true, Duration.ZERO, Optional.empty());

  /** In place of an answer that would say no more than the state of platform-api. */
  static final OwnAnswer UNASKED = new OwnAnswer(false, Duration.ZERO, Optional.of(Duration.ZERO));

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Asks once. */
  static OwnAnswer ask(Coordinates coordinates) throws InterruptedException {
    long begin = System.nanoTime();
    try {
      JsonHttp.Answer answer = new FirstQuery(coordinates).ask(PATIENCE);
      if (!answer.ok()) {
        return NONE;
      }
      JsonNode watermark = answer.body().at("/meta/completeness/watermark");
      return new OwnAnswer(
          false,
          Duration.ofNanos(System.nanoTime() - begin),
          watermark.isTextual()
              ? Optional.of(Duration.between(Instant.parse(watermark.asText()), Instant.now()))
              : Optional.empty());
    } catch (IOException e) {
      return NONE;
    }
  }
}
