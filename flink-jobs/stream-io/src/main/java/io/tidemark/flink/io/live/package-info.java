/** Snapshots of open minutes as protobuf records, written at least once. */
@NullMarked
package io.tidemark.flink.io.live;

import org.jspecify.annotations.NullMarked;
