/** Dead letters as protobuf records, written exactly once. */
@NullMarked
package io.tidemark.flink.io.deadletters;

import org.jspecify.annotations.NullMarked;
