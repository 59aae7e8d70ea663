package io.tidemark.platform.query.application;

import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.tenancy.Organizations;
import java.util.Set;
import java.util.TreeSet;

/** Whose metrics a dataset holds for a caller. */
public final class Datasets {

  private Datasets() {}

  /**
   * What may be read: the organisation, or those of its environments that the caller may read.
   *
   * @param dataset as below
   * @throws ProblemException as below
   */
  static QueryScope readableBy(Caller caller, String dataset) {
    if (dataset.equals("cloud") && !caller.permissions().contains(Permission.METRICS_READ)) {
      Set<String> environments = new TreeSet<>();
      caller
          .inEnvironments()
          .forEach(
              (environment, permissions) -> {
                if (permissions.contains(Permission.METRICS_READ)) {
                  environments.add(environment.value());
                }
              });
      if (!environments.isEmpty()) {
        return new QueryScope(caller.organization(), environments);
      }
    }
    return QueryScope.all(organizationOf(caller, dataset));
  }

  /**
   * The organisation that may be read, all of it.
   *
   * @param dataset {@code cloud} for the caller's own organisation, {@code self} for Tidemark's own
   *     metrics
   * @throws ProblemException {@code not_found} or {@code forbidden}
   */
  public static TenantId organizationOf(Caller caller, String dataset) {
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
}
