/**
 * The two operators between a stream and a table: one writes files, the other commits them with the
 * checkpoint that covers them and keeps the table in shape.
 */
@NullMarked
package io.tidemark.flink.lake.operator;

import org.jspecify.annotations.NullMarked;
