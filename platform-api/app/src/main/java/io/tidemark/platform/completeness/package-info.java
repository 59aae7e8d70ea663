/**
 * How complete rows are: the watermarks that the pipeline commits, the offsets that each store has
 * read, and the open minutes behind them.
 *
 * <p>It does not judge a query's answer: {@code CompletenessEvaluator} of {@code query} does, from
 * what this module knows. Guarded by {@code ConfirmedWatermarkTest}, {@code StoreProgressTest} and
 * {@code OpenMinuteCacheTest}.
 */
@ApplicationModule(allowedDependencies = {"shared", "metricstore", "druid", "kafka"})
@NullMarked
package io.tidemark.platform.completeness;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
