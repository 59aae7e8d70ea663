package io.tidemark.flink.io;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** The group that metrics of every job are in. Its name is public: dashboards and alerts use it. */
public final class JobMetrics {

  public static final String GROUP = "tidemark";

  private JobMetrics() {}

  public static Counter counter(MetricGroup operator, String name) {
    return operator.addGroup(GROUP).counter(name);
  }
}
