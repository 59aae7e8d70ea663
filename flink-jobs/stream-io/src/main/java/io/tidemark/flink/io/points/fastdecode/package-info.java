/**
 * Decodes whole batches in place, into flat arrays, without an object per point. A batch with
 * anything unusual goes to {@code decode}.
 */
@NullMarked
package io.tidemark.flink.io.points.fastdecode;

import org.jspecify.annotations.NullMarked;
