/**
 * Where streams begin and end. Operators get their uid and their name here, through {@link
 * io.tidemark.flink.io.StreamNames}, and nowhere else.
 */
@NullMarked
package io.tidemark.flink.io;

import org.jspecify.annotations.NullMarked;
