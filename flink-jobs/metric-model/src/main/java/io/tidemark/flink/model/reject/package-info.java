/**
 * Why input is set aside, and what is kept of it. Nothing leaves the stream silently: it is counted
 * in a rollup, or it is here.
 */
@NullMarked
package io.tidemark.flink.model.reject;

import org.jspecify.annotations.NullMarked;
