package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.model.panes.combine.Bundle;
import io.tidemark.flink.model.route.RouteInterval;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;

/** A route as bundles, one for each key group: state that every subtask needs moves with them. */
public final class RouteBroadcaster implements FlatMapFunction<RouteInterval, byte[]> {
  private static final long serialVersionUID = 1L;

  private final int keyGroups;

  public RouteBroadcaster(int keyGroups) {
    this.keyGroups = keyGroups;
  }

  @Override
  public void flatMap(RouteInterval interval, Collector<byte[]> out) {
    for (int group = 0; group < keyGroups; group++) {
      out.collect(Bundle.ofRoute(group, interval));
    }
  }
}
