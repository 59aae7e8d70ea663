package io.tidemark.platform.query.application;

import io.tidemark.platform.query.domain.LabelFilter;
import io.tidemark.platform.query.domain.LabelKey;
import io.tidemark.platform.query.domain.MetricQuery;
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

  /** The query, of this and of nothing else. */
  MetricQuery within(MetricQuery query) {
    return environments.isEmpty()
        ? query
        : query.and(new LabelFilter.In(LabelKey.ENVIRONMENT, environments));
  }
}
