/**
 * Generated orders of arrival: the production topology against a recomputation in SQL. {@code
 * Arrivals} makes what is sent and when it arrives, {@code RollupRun} runs the job with failures,
 * {@code Recomputation} compares.
 */
@NullMarked
package io.tidemark.flink.rollup.orders;

import org.jspecify.annotations.NullMarked;
