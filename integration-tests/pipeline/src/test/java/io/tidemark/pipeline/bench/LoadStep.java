package io.tidemark.pipeline.bench;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one rate of a load test gave.
 *
 * @param offered points per second that were due
 * @param perSecond points per second that were acknowledged
 * @param p50 of the time from the moment at which a body was due to its acknowledgement, in
 *     milliseconds; so are the others
 * @param refused answers that wanted a body again
 * @param lag points' records that the rollup job had not committed at the end
 * @param cores used, by component
 */
record LoadStep(
    int offered,
    double perSecond,
    double p50,
    double p95,
    double p99,
    long refused,
    long lag,
    Map<String, Double> cores) {
  /** Less than this part of what was due means that the rate was not held. */
  private static final double HELD = 0.97;

  /** So much more than at the lowest rate means that requests wait for each other. */
  private static final double BENT = 5;

  /** The highest rate that was held, before the first at which requests wait for each other. */
  static Optional<LoadStep> knee(List<LoadStep> steps) {
    Optional<LoadStep> knee = Optional.empty();
    for (LoadStep step : steps) {
      boolean isHeld = step.perSecond() >= HELD * step.offered();
      if (!isHeld || step.p95() > BENT * steps.get(0).p95()) {
        return knee;
      }
      knee = Optional.of(step);
    }
    return Optional.empty();
  }
}
