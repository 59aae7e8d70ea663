/** Rollup rows as JSON lines, bundled into Kafka records, written exactly once. */
@NullMarked
package io.tidemark.flink.io.rows;

import org.jspecify.annotations.NullMarked;
