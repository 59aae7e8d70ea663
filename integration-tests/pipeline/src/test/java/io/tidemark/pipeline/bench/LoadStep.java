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

  /**
   * The highest rate that was held without requests that wait for each other; empty when that is
   * the highest of all. One slow rate below others that are not is a stall, and no knee.
   */
  static Optional<LoadStep> knee(List<LoadStep> steps) {
    LoadStep highest = steps.get(steps.size() - 1);
    double bent = BENT * steps.get(0).p95();
    return steps.stream()
        .filter(step -> step.perSecond() >= HELD * step.offered() && step.p95() <= bent)
        .reduce((lower, higher) -> higher)
        .filter(step -> step != highest);
  }
}
