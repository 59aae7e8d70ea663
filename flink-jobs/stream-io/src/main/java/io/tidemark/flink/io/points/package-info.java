/**
 * The points topic: reading its records, checking their envelope, decoding OTLP into the metric
 * model. Generated protobuf classes stay inside this package.
 */
@NullMarked
package io.tidemark.flink.io.points;

import org.jspecify.annotations.NullMarked;
