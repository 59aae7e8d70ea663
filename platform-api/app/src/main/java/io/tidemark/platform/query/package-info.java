/**
 * The public Metrics API: plans a query, guards it, runs it on Druid and, for older rows, the lake.
 *
 * <p>Words: a <em>draft</em> is what the caller sent; a <em>metric query</em> is a checked plan
 * that can be run; a <em>part</em> is what one query of the store reads; <em>figures</em> are what
 * parts say and what adds up; a <em>group</em> is one combination of group_by labels; a
 * <em>bucket</em> is one step of the granularity, aligned to UTC. The organisation of a query comes
 * from the caller's key and is put into the query where it is built, by {@code DruidFilters} and
 * {@code LakeFilters}, so that no query without it can exist. It does not own metric data, nor who
 * may ask ({@code access}). A hexagon, because it holds rules. Guarded by {@code
 * GeneratedQueriesTest}, {@code RollupLevelPlannerTest} and {@code DruidQueryTreeTest}.
 */
@ApplicationModule(allowedDependencies = {"shared", "tenancy", "access", "retention", "catalog"})
package io.tidemark.platform.query;

import org.springframework.modulith.ApplicationModule;
