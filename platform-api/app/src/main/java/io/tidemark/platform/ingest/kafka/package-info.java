/** Batches as records of the points topic. */
package io.tidemark.platform.ingest.kafka;
