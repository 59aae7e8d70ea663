package io.tidemark.flink.model.completeness;

import io.tidemark.flink.model.rollup.RollupLevel;

/**
 * Rows of a window that the watermark had passed when their points came.
 *
 * @param organizationId tenant
 * @param level length of the window
 * @param window its start, milliseconds since the Unix epoch
 * @param rows how many rows
 * @param metric whose rows; empty for any metrics of the tenant
 */
public record LateRows(
    String organizationId, RollupLevel level, long window, long rows, String metric) {

  /** Any metrics. */
  public static final String ANY = "";
}
