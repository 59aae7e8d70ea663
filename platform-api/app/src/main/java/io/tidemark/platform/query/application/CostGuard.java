package io.tidemark.platform.query.application;

import io.tidemark.platform.query.domain.Granularity;
import io.tidemark.platform.query.domain.Lane;
import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.query.domain.TimeInterval;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.util.List;
import java.util.function.ToLongFunction;

/** Decides whether a query may run, in which lane, and when it is its turn. */
public final class CostGuard {

  private final long slowFrom;
  private final long greatest;
  private final Turns turns;

  /**
   * A guard.
   *
   * @param slowFrom rows from which a query goes to the slow lane
   * @param greatest rows that a query may read
   */
  public CostGuard(long slowFrom, long greatest, Turns turns) {
    this.slowFrom = slowFrom;
    this.greatest = greatest;
    this.turns = turns;
  }

  /** A query may run. */
  public record Verdict(Lane lane, long estimatedRows) {}

  /**
   * Judges a query by the rows that it reads.
   *
   * @param estimates of other forms of the query
   * @throws ProblemException {@code query_too_expensive}, with a form that would pass
   */
  Verdict judge(MetricQuery query, long rows, ToLongFunction<MetricQuery> estimates) {
    if (rows > greatest) {
      throw ProblemException.of(
          ErrorCode.QUERY_TOO_EXPENSIVE,
          "The query would read about "
              + rows
              + " stored rows; the limit is "
              + greatest
              + ". "
              + cheaper(query, estimates));
    }
    return new Verdict(rows >= slowFrom ? Lane.SLOW : Lane.INTERACTIVE, rows);
  }

  /** Waits for the turn of a query; to be closed when it has run. */
  Turns.Turn enter(TenantId organization, Lane lane) {
    return turns.enter(organization, lane);
  }

  private String cheaper(MetricQuery query, ToLongFunction<MetricQuery> estimates) {
    for (Granularity coarser : List.of(Granularity.PT1H, Granularity.P1D)) {
      if (query.granularity().width().isPresent()
          && query.granularity().width().get().compareTo(coarser.width().orElseThrow()) < 0) {
        long then = estimates.applyAsLong(with(query, coarser, query.intervals()));
        if (then <= greatest) {
          return "With granularity " + coarser + " it would read about " + then + ".";
        }
      }
    }
    TimeInterval last = query.intervals().get(query.intervals().size() - 1);
    Duration length = last.length();
    for (int halvings = 0; halvings < 20 && length.toMinutes() > 1; halvings++) {
      length = length.dividedBy(2);
      TimeInterval shorter =
          new TimeInterval(
              last.end().minus(length.toMinutes(), java.time.temporal.ChronoUnit.MINUTES),
              last.end());
      long then = estimates.applyAsLong(with(query, query.granularity(), List.of(shorter)));
      if (then <= greatest) {
        return "The interval "
            + shorter.start()
            + "/"
            + shorter.end()
            + " would read about "
            + then
            + ".";
      }
    }
    return "Narrow the filter.";
  }

  private static MetricQuery with(
      MetricQuery query, Granularity granularity, List<TimeInterval> intervals) {
    return new MetricQuery(
        query.aggregations(),
        query.filter(),
        granularity,
        query.groupBy(),
        intervals,
        query.greatestGroups(),
        query.order(),
        query.grouped(),
        query.bucketStates(),
        query.explain());
  }
}
