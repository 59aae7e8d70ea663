/**
 * Stored rollup rows: the query model, the {@code MetricStore} and {@code SeriesStore} ports, and
 * the tiers that answer.
 *
 * <p>Words: a <em>source</em> is a datasource and table of one level; a <em>scan spec</em> is what
 * one query of one store reads; an <em>aggregate state</em> is what rows say and what adds up; a
 * <em>tier</em> is a store with the interval that it holds. The organisation of a query comes from
 * the caller and is put into each native query where it is built, by {@code DruidFilters} and
 * {@code LakeFilters}. It does not plan queries ({@code query}) and does not say how complete rows
 * are ({@code completeness}). Guarded by {@code DruidQueryTreeTest}, {@code StoreTierResolverTest}
 * and {@code GeneratedQueriesTest}.
 */
@ApplicationModule(allowedDependencies = {"shared", "druid", "kafka", "rows"})
@NullMarked
package io.tidemark.platform.metricstore;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
