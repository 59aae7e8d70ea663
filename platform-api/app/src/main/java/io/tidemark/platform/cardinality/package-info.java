/**
 * How many series an environment has, by metric and label, and what a label costs.
 *
 * <p>Words: a <em>series</em> is one that sent in the window; an <em>overflow</em> series is one
 * into which the pipeline folded others. Counts come from stored rows: exactly while there are few
 * enough rows, otherwise as an estimate whose error the answer states. A what-if counts the rows of
 * a recent window without a label and carries them forward to a day. Bounded: one tenant's counting
 * takes the turns of its look-ups and the slow lane, and answers are kept for a minute. It changes
 * nothing. Flat. Guarded by {@code LabelEffectTest}, {@code DruidSeriesCounterTest}, {@code
 * CardinalityApiIT} and, on the real engines, {@code SeriesBudgetIT}.
 */
@ApplicationModule(
    allowedDependencies = {"shared", "audit", "tenancy", "metricstore", "completeness"})
@NullMarked
package io.tidemark.platform.cardinality;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
