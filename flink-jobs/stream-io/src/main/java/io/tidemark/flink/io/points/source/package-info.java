/**
 * Reads records of the points topic from Kafka, with the time by which each moves the watermark.
 * Does not decode points.
 */
@NullMarked
package io.tidemark.flink.io.points.source;

import org.jspecify.annotations.NullMarked;
