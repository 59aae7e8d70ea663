package io.tidemark.platform.metricstore;

import io.tidemark.platform.shared.TenantId;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a caller may read: an organisation, or some of its environments.
 *
 * @param environments empty for all
 */
public record QueryScope(TenantId organization, Set<String> environments) {

  public QueryScope {
    environments = Collections.unmodifiableSortedSet(new TreeSet<>(environments));
  }

  /** All of the organisation. */
  public static QueryScope all(TenantId organization) {
    return new QueryScope(organization, Set.of());
  }

  /** Whether it holds that environment. */
  public boolean holds(String environment) {
    return environments.isEmpty() || environments.contains(environment);
  }
}
