package io.tidemark.pipeline.bench;

import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.resource.v1.Resource;
import io.tidemark.pipeline.support.OtlpBody;
import io.tidemark.pipeline.support.PointFleet;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Hosts with ten metrics of ten partitions each: random walks with two decimals, half of them
 * gauges, half delta sums. A series sends every ten seconds, in order, and lives for ever.
 */
final class HostFleet implements PointFleet {
  /** How many there are; each has as many series as the others. */
  static final int METRICS = 10;

  private static final int PARTITIONS = 10;
  private static final int SERIES_OF_HOST = METRICS * PARTITIONS;
  private static final int HOSTS_OF_BODY = 10;
  private static final int CLUSTERS = 20;
  private static final int TOPICS = 50;
  private static final int FIRST_VALUE = 10_000;

  private final String prefix;
  private final int hosts;
  private final Random random = new Random(42);
  private final Resource[] resources;
  private final List<List<List<KeyValue>>> labels = new ArrayList<>();
  private final int[] hundredths;
  private final Map<String, Total> totals = new TreeMap<>();

  /**
   * @param prefix of the names of metrics
   */
  HostFleet(String prefix, int series) {
    this.prefix = prefix;
    this.hosts = series / SERIES_OF_HOST;
    this.resources = new Resource[hosts];
    this.hundredths = new int[hosts * SERIES_OF_HOST];
    for (int host = 0; host < hosts; host++) {
      resources[host] =
          OtlpBody.resource(
              "tidemark.resource.type", "kafka", "tidemark.resource.id", "lkc-" + host % CLUSTERS);
      List<List<KeyValue>> ofHost = new ArrayList<>();
      for (int partition = 0; partition < PARTITIONS; partition++) {
        ofHost.add(
            OtlpBody.attributes(
                "host", "host-" + host,
                "partition", Integer.toString(partition),
                "topic", "topic-" + host % TOPICS));
      }
      labels.add(ofHost);
    }
    java.util.Arrays.fill(hundredths, FIRST_VALUE);
  }

  @Override
  public int series() {
    return hosts * SERIES_OF_HOST;
  }

  @Override
  public void step(int number, Instant time, Receiver receiver)
      throws IOException, InterruptedException {
    OtlpBody body = new OtlpBody();
    for (int host = 0; host < hosts; host++) {
      List<Metric> metrics = new ArrayList<>();
      for (int metric = 0; metric < METRICS; metric++) {
        metrics.add(metric(host, metric, time));
      }
      body.add(resources[host], metrics);
      if ((host + 1) % HOSTS_OF_BODY == 0 || host == hosts - 1) {
        receiver.accept(body.take());
      }
    }
  }

  private Metric metric(int host, int metric, Instant time) {
    String name = prefix + ".host." + metric;
    List<NumberDataPoint> points = new ArrayList<>();
    double sum = 0;
    for (int partition = 0; partition < PARTITIONS; partition++) {
      int series = (host * METRICS + metric) * PARTITIONS + partition;
      hundredths[series] =
          Math.max(0, hundredths[series] + (int) Math.round(random.nextGaussian() * 100));
      double value = hundredths[series] / 100.0;
      sum += value;
      points.add(OtlpBody.point(labels.get(host).get(partition), time, value));
    }
    totals.merge(
        name, new Total(PARTITIONS, sum), (one, other) -> one.plus(other.count(), other.sum()));
    return metric % 2 == 0
        ? OtlpBody.gauge(name, "ms", points)
        : OtlpBody.delta(name, "By", points);
  }

  @Override
  public void finish(Receiver receiver) {
    // Nothing is late.
  }

  @Override
  public Map<String, Total> totals() {
    return totals;
  }

  @Override
  public String shape() {
    return "hosts: %,d series, 3 labels".formatted(series());
  }
}
