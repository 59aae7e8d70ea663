package io.tidemark.platform.query;

import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.query.application.QueryMeter;
import io.tidemark.platform.usage.UsageTally;
import io.tidemark.platform.usage.UsedUnits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Counts queries for the bill: vocabulary/meters.yaml says by which rules. */
final class UsageQueryMeter implements QueryMeter {

  private static final String QUERY = "query";
  private static final long ROWS_OF_A_UNIT = 1_000;

  private final UsageTally tally;

  UsageQueryMeter(UsageTally tally) {
    this.tally = tally;
  }

  @Override
  public void ran(QueryScope scope, Set<String> metrics, Lane lane, long rows) {
    String environment =
        scope.environments().size() == 1 ? scope.environments().iterator().next() : "";
    String named = lane.name().toLowerCase(Locale.ROOT);
    TreeSet<String> sorted = new TreeSet<>(metrics);
    String first = sorted.isEmpty() ? "" : sorted.first();
    List<UsedUnits> used = new ArrayList<>();
    used.add(new UsedUnits(environment, QUERY, named, first, "queries", 1));
    used.add(new UsedUnits(environment, QUERY, named, first, "query_cost_units", costUnits(rows)));
    for (String metric : sorted) {
      used.add(new UsedUnits(environment, QUERY, named, metric, "metric_reads", 1));
    }
    tally.add(scope.organization(), used);
  }

  static long costUnits(long rows) {
    long whole = Math.max(0, rows) / ROWS_OF_A_UNIT;
    return Math.max(1, rows % ROWS_OF_A_UNIT > 0 ? whole + 1 : whole);
  }
}
