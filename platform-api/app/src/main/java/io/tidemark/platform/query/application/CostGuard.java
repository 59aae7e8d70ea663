package io.tidemark.platform.query.application;

import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.LookUpTurns;
import io.tidemark.platform.metricstore.Store;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Decides whether a query may run, in which lane, and when it is its turn. */
public final class CostGuard implements LookUpTurns {

  private final long slowFrom;
  private final long max;
  private final long maxOfLake;
  private final QueryConcurrencyLimiter turns;

  /**
   * A guard.
   *
   * @param slowFrom rows from which a query goes to the slow lane
   * @param max rows that a query may read
   * @param maxOfLake of these, rows of the lake
   */
  public CostGuard(long slowFrom, long max, long maxOfLake, QueryConcurrencyLimiter turns) {
    this.slowFrom = slowFrom;
    this.max = max;
    this.maxOfLake = maxOfLake;
    this.turns = turns;
  }

  /**
   * What a query reads.
   *
   * @param rows of all stores
   * @param lakeRows of these, rows of the lake
   * @param isLake whether it reads from the lake at all
   */
  record Cost(long rows, long lakeRows, boolean isLake) {

    static final Cost NOTHING = new Cost(0, 0, false);

    static Cost of(Store store, long rows) {
      boolean isLake = store == Store.LAKE;
      return new Cost(rows, isLake ? rows : 0, isLake);
    }

    Cost plus(Cost other) {
      return new Cost(rows + other.rows, lakeRows + other.lakeRows, isLake || other.isLake);
    }
  }

  /** A query may run. */
  public record Verdict(Lane lane, long estimatedRows) {}

  /**
   * Judges a query by the rows that it reads. What is read from the lake never takes a turn of
   * those who ask for recent rows.
   *
   * @param estimates of other forms of the query
   * @throws ProblemException {@code query_too_expensive}, with a form that would pass
   */
  Verdict judge(MetricQuery query, Cost cost, Function<MetricQuery, Cost> estimates) {
    if (!passes(cost)) {
      boolean isLakes = cost.lakeRows() > maxOfLake;
      throw ProblemException.of(
          ErrorCode.QUERY_TOO_EXPENSIVE,
          "The query would read about "
              + (isLakes ? cost.lakeRows() + " rows of the lake" : cost.rows() + " stored rows")
              + "; the limit is "
              + (isLakes ? maxOfLake : max)
              + ". "
              + cheaper(query, estimates));
    }
    return new Verdict(
        cost.isLake() || cost.rows() >= slowFrom ? Lane.SLOW : Lane.INTERACTIVE, cost.rows());
  }

  private boolean passes(Cost cost) {
    return cost.rows() <= max && cost.lakeRows() <= maxOfLake;
  }

  /** Waits for the turn of a query; to be closed when it has run. */
  QueryConcurrencyLimiter.Turn enter(TenantId organization, Lane lane) {
    return turns.enter(organization, lane);
  }

  @Override
  public LookUpTurns.Turn enterLookUp(TenantId organization, Lane lane) {
    return enter(organization, lane)::close;
  }

  @Override
  public Lane judgeLookUp(long rows) {
    if (rows > max) {
      throw ProblemException.of(
          ErrorCode.QUERY_TOO_EXPENSIVE,
          "The look-up of names and labels would read about "
              + rows
              + " stored rows; the limit is "
              + max
              + ". Ask with a key that reads fewer environments, or send fewer label keys.");
    }
    return rows >= slowFrom ? Lane.SLOW : Lane.INTERACTIVE;
  }

  private String cheaper(MetricQuery query, Function<MetricQuery, Cost> estimates) {
    for (Granularity coarser : List.of(Granularity.PT1H, Granularity.P1D)) {
      if (query.granularity().width().isPresent()
          && query.granularity().width().get().compareTo(coarser.width().orElseThrow()) < 0) {
        Cost then = estimates.apply(with(query, coarser, query.intervals()));
        if (passes(then)) {
          return "With granularity " + coarser + " it would read about " + then.rows() + ".";
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
      Cost then = estimates.apply(with(query, query.granularity(), List.of(shorter)));
      if (passes(then)) {
        return "The interval "
            + shorter.start()
            + "/"
            + shorter.end()
            + " would read about "
            + then.rows()
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
        query.maxGroups(),
        query.order(),
        query.grouped(),
        query.bucketStates(),
        query.explain(),
        query.distributions());
  }
}
