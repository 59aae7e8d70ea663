package io.tidemark.platform.completeness;

import io.tidemark.platform.druid.DatasourcePlacement;
import io.tidemark.platform.druid.DatasourcePlacements;
import java.util.function.Function;

/**
 * How far the datasources of an organisation's own have read.
 *
 * @param placements who has some
 * @param offsets of the datasources of one placement
 */
public record PlacedOffsets(
    DatasourcePlacements placements, Function<DatasourcePlacement, StoreOffsets> offsets) {

  /** Nobody has any. */
  public static final PlacedOffsets NONE =
      new PlacedOffsets(
          DatasourcePlacements.NONE,
          placement -> {
            throw new IllegalStateException("There is no placement");
          });
}
