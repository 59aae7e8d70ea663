/**
 * Decodes OTLP requests into points one by one with the generated classes: says what every point
 * means, and which is set aside and why. What {@code fastdecode} must say of a point in the same
 * words is public here.
 */
@NullMarked
package io.tidemark.flink.io.points.decode;

import org.jspecify.annotations.NullMarked;
