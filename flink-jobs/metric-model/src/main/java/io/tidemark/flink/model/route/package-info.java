/**
 * Which minutes of a metric are split: full detail to a place of its own, and the ordinary rows
 * without the labels that have many values. Guarded by MetricRouteTest and SplitPanesTest.
 */
@NullMarked
package io.tidemark.flink.model.route;

import org.jspecify.annotations.NullMarked;
