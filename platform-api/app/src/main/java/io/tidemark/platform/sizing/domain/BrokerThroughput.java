package io.tidemark.platform.sizing.domain;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * What one Kafka broker sustains, in MB/s. A machine that bursts is planned for what stays when its
 * credits are gone.
 *
 * @param storage throughput of its volume
 * @param storageNetwork between the machine and its volume
 * @param network between the machine and everybody else
 */
public record BrokerThroughput(double storage, double storageNetwork, double network) {

  /** The share of the sustained throughput, and of the space on volumes, that is planned for. */
  public static final double TARGET = 0.8;

  /**
   * A resource of a cluster and the rate of producers at which it is used up.
   *
   * @param rate MB/s of producers, of the whole cluster; infinite when nothing uses the resource
   */
  public record Limit(Resource resource, double rate) {}

  /**
   * The ceilings of a cluster: every byte is written by each replica, and leaves the leader once
   * for each consumer group and each other replica.
   */
  public List<Limit> limits(long brokers, int replication, int groups) {
    double leaving = groups + replication - 1.0;
    return List.of(
        new Limit(Resource.STORAGE, storage * brokers / replication),
        new Limit(Resource.STORAGE_NETWORK, storageNetwork * brokers / replication),
        new Limit(
            Resource.NETWORK,
            leaving > 0 ? network * brokers / leaving : Double.POSITIVE_INFINITY));
  }

  /** The limit that is reached first. */
  public Limit binding(long brokers, int replication, int groups) {
    return Collections.min(
        limits(brokers, replication, groups), Comparator.comparingDouble(Limit::rate));
  }

  /** The rate of producers to plan for: the target's share of what binds. */
  public double planned(long brokers, int replication, int groups) {
    return TARGET * binding(brokers, replication, groups).rate();
  }

  /** The least number of brokers that a rate can be planned for; no fewer than hold all copies. */
  public long brokersFor(double rate, int replication, int groups) {
    return Math.max(replication, Rounding.up(rate / planned(1, replication, groups)));
  }
}
