package io.tidemark.flink.model.panes.state;

import io.tidemark.flink.model.rollup.RollupLevel;

/** Late rows of a window that are not told yet. Series of a metric mostly follow each other. */
final class LateCount {

  private String organizationId = "";
  private String metric = "";
  private int rows;

  void row(RollupLevel level, long window, String organization, String of, PaneSink sink) {
    if (!of.equals(metric) || !organization.equals(organizationId)) {
      tell(level, window, sink);
      organizationId = organization;
      metric = of;
    }
    rows++;
  }

  void tell(RollupLevel level, long window, PaneSink sink) {
    if (rows > 0) {
      sink.late(level, window, organizationId, metric, rows);
      rows = 0;
    }
  }
}
