package io.tidemark.flink.model.panes;

import io.tidemark.flink.model.rollup.RollupLevel;

/** Late rows of a window that are not told yet. Series of a tenant mostly follow each other. */
final class LateCount {

  private String organizationId = "";
  private int rows;

  void row(RollupLevel level, long window, String organization, PaneSink sink) {
    if (!organization.equals(organizationId)) {
      tell(level, window, sink);
      organizationId = organization;
    }
    rows++;
  }

  void tell(RollupLevel level, long window, PaneSink sink) {
    if (rows > 0) {
      sink.late(level, window, organizationId, rows);
      rows = 0;
    }
  }
}
