/**
 * One measured value on its way to a rollup, where it came from, and which point times are
 * believed.
 */
@NullMarked
package io.tidemark.flink.model.point;

import org.jspecify.annotations.NullMarked;
