package io.tidemark.platform.completeness;

import java.time.Instant;
import java.util.Optional;

/**
 * How much of what the doors acknowledged the rollup job has read, whatever time the points are of.
 *
 * @param until all points acknowledged before this time were read, and a checkpoint holds that;
 *     empty while that is not known
 * @param isBehind whether points that were acknowledged for some time may not have been read
 */
public record ReadProgress(Optional<Instant> until, boolean isBehind) {

  /** Of a process that does not look. */
  public static final ReadProgress NOT_LOOKED_AT = new ReadProgress(Optional.empty(), false);
}
