package io.tidemark.platform.completeness;

import io.tidemark.platform.metricstore.Source;
import java.util.Map;

/** Tells how far the store has read the topics of rows. */
@FunctionalInterface
public interface StoreOffsets {

  /** The store's state. */
  record StoreState(Map<Source, Map<Integer, Long>> offsets, boolean isWhole) {}

  /**
   * The next offset of each partition, by source; a source that nothing reads now is missing.
   *
   * <p>{@code isWhole} is false while stored segments are not served by any process.
   *
   * @throws io.tidemark.platform.shared.ProblemException {@code store_unavailable}
   */
  StoreState now();
}
