/** Checkpoints that an operator asks for, so that what it wrote is visible soon. */
@NullMarked
package io.tidemark.flink.io.checkpoint;

import org.jspecify.annotations.NullMarked;
