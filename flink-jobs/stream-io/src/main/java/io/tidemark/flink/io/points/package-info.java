/**
 * Records of the points topic and their headers, as all jobs see them. {@link
 * io.tidemark.flink.io.points.PointsRecord} lies in savepoints: its name and package stay.
 * Generated protobuf classes stay inside the packages below.
 */
@NullMarked
package io.tidemark.flink.io.points;

import org.jspecify.annotations.NullMarked;
