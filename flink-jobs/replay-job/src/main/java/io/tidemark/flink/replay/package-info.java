/**
 * Rolls up once more what the lake holds of a tenant, with the topology of the rollup job, beside
 * the live rows; says where both differ. Reads only.
 */
@NullMarked
package io.tidemark.flink.replay;

import org.jspecify.annotations.NullMarked;
