/**
 * The usage job: counts accepted points and bytes by environment, resource, metric and hour of
 * receipt, series and rows by the hour of their append, and writes usage records exactly once. It
 * lets batches in by the same operator as the rollup job and decodes with the same decoder, so what
 * it counts is what the lake keeps. It knows no plan and no price. Guarded by {@code
 * UsageJobGraphTest}, {@code UsageTopologyIT} and {@code UsageHourCollectorTest}.
 */
@NullMarked
package io.tidemark.flink.usage;

import org.jspecify.annotations.NullMarked;
