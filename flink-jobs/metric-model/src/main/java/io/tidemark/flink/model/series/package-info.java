/**
 * Which stream of values a point belongs to: the descriptor as sent and its 128-bit key. Does not
 * know how descriptors arrive or how rows look.
 */
@NullMarked
package io.tidemark.flink.model.series;

import org.jspecify.annotations.NullMarked;
