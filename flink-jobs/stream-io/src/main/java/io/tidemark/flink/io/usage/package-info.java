/**
 * Usage records of all jobs, and the increments that they are made of: when they are made, and how
 * they are written exactly once.
 */
@NullMarked
package io.tidemark.flink.io.usage;

import org.jspecify.annotations.NullMarked;
