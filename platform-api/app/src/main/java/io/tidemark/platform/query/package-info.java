/**
 * The public Metrics API: plans a query, checks its cost, runs it on the stores that hold its
 * intervals, and says how complete the answer is.
 *
 * <p>Words: a <em>draft</em> is what the caller sent; a <em>metric query</em> is a checked plan
 * that can be run; a <em>group</em> is one combination of group_by labels; a <em>bucket</em> is one
 * step of the granularity, aligned to UTC. The query scope comes from the caller's credentials. It
 * does not read stores itself ({@code metricstore}), nor own who may ask ({@code access}). It wires
 * the stores and followers, because their settings are those of this API. Guarded by {@code
 * GeneratedQueriesTest}, {@code RollupLevelPlannerTest} and {@code MetricsIsolationIT}.
 */
@ApplicationModule(
    allowedDependencies = {
      "shared",
      "replicas",
      "tenancy",
      "access",
      "retention",
      "catalog",
      "druid",
      "usage",
      "kafka",
      "metricstore",
      "metricstore :: druid",
      "metricstore :: iceberg",
      "metricstore :: recent",
      "completeness",
      "completeness :: druid",
      "completeness :: kafka"
    })
@NullMarked
package io.tidemark.platform.query;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
