/** How far rows are complete, as protobuf records, written exactly once. */
@NullMarked
package io.tidemark.flink.io.progress;

import org.jspecify.annotations.NullMarked;
