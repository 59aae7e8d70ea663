/**
 * The usage job: adds up what the rollup job counted, points and bytes by environment, resource,
 * metric and hour of receipt, rows by the hour in which they were written, counts their series, and
 * writes usage records exactly once. It knows no plan and no price. Guarded by {@code
 * UsageJobGraphTest}, {@code UsageTopologyIT} and {@code UsageHourCollectorTest}.
 */
@NullMarked
package io.tidemark.flink.usage;

import org.jspecify.annotations.NullMarked;
