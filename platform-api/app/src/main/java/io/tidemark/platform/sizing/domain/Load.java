package io.tidemark.platform.sizing.domain;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What is sent, asked and kept, and on which machines.
 *
 * @param points a second
 * @param series active at a time
 * @param labels of a series, those of its resource included
 * @param late share of points that open a minute anew
 * @param split share of series that are kept at full detail once more
 * @param requests queries a second
 * @param replication of Kafka
 * @param groups consumer groups of the points topic
 * @param segmentReplicas of Druid's default tier
 * @param taskReplicas of Druid's streaming tasks
 * @param kafkaDays that topics are kept
 * @param minutesDays that rows of minutes are kept in Druid
 * @param hotHours of minutes on the hot tier
 * @param lakeDays that raw points and rows are kept in the lake
 * @param busy share of its cores that a process is planned for
 * @param brokers machine of Kafka's brokers
 * @param brokerVolume volume of each broker
 * @param workers machine of platform-api, Flink and Druid's indexers and brokers
 * @param historicals machine of Druid's historicals
 */
public record Load(
    double points,
    double series,
    double labels,
    double late,
    double split,
    double requests,
    int replication,
    int groups,
    int segmentReplicas,
    int taskReplicas,
    double kafkaDays,
    double minutesDays,
    double hotHours,
    double lakeDays,
    double busy,
    String brokers,
    String brokerVolume,
    String workers,
    String historicals) {

  private static final double MAX_RATE = 1e12;
  private static final double MAX_REQUESTS = 1e9;
  private static final double MAX_LABELS = 1_000;
  private static final double MAX_COPIES = 100;
  private static final double MAX_GROUPS = 10_000;
  private static final double MIN_TIME = 0.01;
  private static final double MAX_TIME = 36_500;

  /**
   * A field that breaks its rule.
   *
   * @param field as on the wire, in lower_snake_case
   * @param rule as in "must be 0 to 1"
   */
  public record Fault(String field, String rule) {}

  /** Everything that is wrong with the load; empty when it can be planned. */
  public List<Fault> faults(PriceList prices) {
    List<Fault> faults = new ArrayList<>();
    require(faults, "points", points, 1, MAX_RATE);
    require(faults, "series", series, 1, MAX_RATE);
    require(faults, "labels", labels, 0, MAX_LABELS);
    require(faults, "late", late, 0, 1);
    require(faults, "split", split, 0, 1);
    require(faults, "requests", requests, 0, MAX_REQUESTS);
    require(faults, "replication", replication, 1, MAX_COPIES);
    require(faults, "groups", groups, 0, MAX_GROUPS);
    require(faults, "segment_replicas", segmentReplicas, 1, MAX_COPIES);
    require(faults, "task_replicas", taskReplicas, 1, MAX_COPIES);
    require(faults, "kafka_days", kafkaDays, MIN_TIME, MAX_TIME);
    require(faults, "minutes_days", minutesDays, MIN_TIME, MAX_TIME);
    require(faults, "hot_hours", hotHours, MIN_TIME, MAX_TIME);
    require(faults, "lake_days", lakeDays, MIN_TIME, MAX_TIME);
    require(faults, "busy", busy, 0.01, 1);
    requireName(faults, "brokers", brokers, prices.machines().keySet());
    requireName(faults, "broker_volume", brokerVolume, prices.volumes().keySet());
    requireName(faults, "workers", workers, prices.machines().keySet());
    requireName(faults, "historicals", historicals, prices.machines().keySet());
    return faults;
  }

  private static void require(
      List<Fault> faults, String field, double value, double min, double max) {
    // No comparison is true of a value that is no number.
    if (!(value >= min && value <= max)) {
      faults.add(new Fault(field, "must be " + plain(min) + " to " + plain(max)));
    }
  }

  private static void requireName(
      List<Fault> faults, String field, String name, Set<String> known) {
    if (!known.contains(name)) {
      faults.add(new Fault(field, "must be one of the price file: " + String.join(", ", known)));
    }
  }

  private static String plain(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }
}
