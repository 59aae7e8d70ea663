package io.tidemark.platform.query.application;

import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.query.domain.QueryDraft;
import io.tidemark.platform.query.domain.QueryPlanning;
import io.tidemark.platform.query.domain.QueryPlanning.Plan;
import io.tidemark.platform.query.domain.QueryRow;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.tenancy.Organizations;
import java.time.Clock;
import java.util.List;

/** Answers one query of one caller. */
public final class QueryingMetrics {

  private final RunQuery store;
  private final Clock clock;

  public QueryingMetrics(RunQuery store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * The rows that the caller asked for.
   *
   * @param dataset {@code cloud} for the caller's own organisation, {@code self} for Tidemark's own
   *     metrics
   * @throws ProblemException {@code not_found}, {@code forbidden}, {@code invalid_query}, {@code
   *     not_supported_yet}, or what {@link RunQuery} throws
   */
  public List<QueryRow> answer(Caller caller, String dataset, QueryDraft draft) {
    TenantId organization = organizationOf(caller, dataset);
    return store.run(organization, planned(draft));
  }

  private static TenantId organizationOf(Caller caller, String dataset) {
    return switch (dataset) {
      case "cloud" -> {
        caller.require(Permission.METRICS_READ);
        yield caller.organization();
      }
      case "self" -> {
        caller.require(Permission.PLATFORM_METRICS_READ);
        yield Organizations.PLATFORM;
      }
      default ->
          throw ProblemException.of(
              ErrorCode.NOT_FOUND, "There is no such dataset; use cloud or self.");
    };
  }

  private MetricQuery planned(QueryDraft draft) {
    Plan plan = QueryPlanning.plan(draft, clock.instant());
    if (plan instanceof Plan.Ready ready) {
      return ready.query();
    } else if (plan instanceof Plan.Unsupported unsupported) {
      throw ProblemException.of(ErrorCode.NOT_SUPPORTED_YET, unsupported.reasons());
    } else if (plan instanceof Plan.Invalid invalid) {
      throw ProblemException.of(ErrorCode.INVALID_QUERY, invalid.faults());
    }
    throw new IllegalStateException("Unknown plan " + plan);
  }
}
