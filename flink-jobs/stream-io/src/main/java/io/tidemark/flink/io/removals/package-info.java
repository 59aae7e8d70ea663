/**
 * Rows that platform-api wants removed from the lake, and what the lake job tells it of them. The
 * rules of the records stand in the contracts, control/v1/removal.proto and
 * pipeline/v1/removal.proto.
 */
@NullMarked
package io.tidemark.flink.io.removals;

import org.jspecify.annotations.NullMarked;
