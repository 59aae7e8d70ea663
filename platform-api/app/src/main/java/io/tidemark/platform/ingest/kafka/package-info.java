/** Batches as records of the points topic. */
@NullMarked
package io.tidemark.platform.ingest.kafka;

import org.jspecify.annotations.NullMarked;
