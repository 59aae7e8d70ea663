/**
 * Which batches count: the first of byte-identical ones, of tenants that exist. Every job that
 * reads the points topic lets batches in by this operator and the same control topic.
 */
@NullMarked
package io.tidemark.flink.io.admission;

import org.jspecify.annotations.NullMarked;
