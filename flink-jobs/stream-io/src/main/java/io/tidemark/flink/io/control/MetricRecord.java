package io.tidemark.flink.io.control;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.contracts.control.v1.MetricControl;
import io.tidemark.contracts.control.v1.MetricLifecycle;
import io.tidemark.flink.model.route.RouteInterval;
import java.util.List;
import java.util.TreeSet;

/** What a record of the topic of metrics says, by the contract control/v1/metric.proto. */
public sealed interface MetricRecord {

  /** Characters of a name. Longer ones belong to nothing that is rolled up under its own name. */
  int LONGEST_NAME = 4_096;

  /**
   * @param labels to be summed away, sorted; empty when nothing is declared
   */
  record Declared(
      String organizationId, String environmentId, String metric, List<String> labels, long version)
      implements MetricRecord {}

  record Gone() implements MetricRecord {}

  /** {@code why} is one English sentence. */
  record Unreadable(String why) implements MetricRecord {}

  /** Total: nothing is thrown, whatever the bytes are. */
  static MetricRecord of(ControlRecord record) {
    try {
      return record.isTombstone()
          ? new Gone()
          : metric(record.key(), MetricControl.parseFrom(record.value()));
    } catch (InvalidProtocolBufferException | RuntimeException e) {
      return new Unreadable("Not a record of the contract: " + e.getMessage());
    }
  }

  private static MetricRecord metric(String key, MetricControl metric) {
    if (!key.equals(
        RouteInterval.metricKey(
            metric.getOrganizationId(), metric.getEnvironmentId(), metric.getMetric()))) {
      return new Unreadable("The key names another metric than the value.");
    }
    MetricLifecycle lifecycle = metric.getLifecycle();
    if (lifecycle == MetricLifecycle.METRIC_LIFECYCLE_UNSPECIFIED
        || lifecycle == MetricLifecycle.UNRECOGNIZED) {
      return new Unreadable("The lifecycle is missing or unknown.");
    }
    boolean isRetired = lifecycle == MetricLifecycle.METRIC_LIFECYCLE_RETIRED;
    TreeSet<String> labels = new TreeSet<>();
    if (!isRetired) {
      labels.addAll(metric.getHighCardinalityLabelsList());
    }
    boolean isNamed = !metric.getMetric().isEmpty() && !labels.contains("");
    boolean isShort =
        metric.getMetric().length() <= LONGEST_NAME
            && labels.stream().allMatch(label -> label.length() <= LONGEST_NAME);
    if (!isNamed || !isShort) {
      return new Unreadable("A name is empty or longer than " + LONGEST_NAME + " characters.");
    }
    return new Declared(
        metric.getOrganizationId(),
        metric.getEnvironmentId(),
        metric.getMetric(),
        List.copyOf(labels),
        metric.getVersion());
  }
}
