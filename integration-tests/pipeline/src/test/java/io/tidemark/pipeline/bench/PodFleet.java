package io.tidemark.pipeline.bench;

import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.resource.v1.Resource;
import io.tidemark.pipeline.support.OtlpBody;
import io.tidemark.pipeline.support.PointFleet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Pods of services with four metrics of five routes each and long labels. One pod of a hundred is
 * replaced every minute, and one export of twenty comes up to an hour late.
 */
final class PodFleet implements PointFleet {
  private static final int METRICS = 4;
  private static final int ROUTES = 5;
  private static final int SERIES_OF_POD = METRICS * ROUTES;
  private static final int PODS_OF_BODY = 50;
  private static final int SERVICES = 25;
  private static final int STEPS_OF_MINUTE = 60 / STEP_SECONDS;
  private static final int MINUTES_OF_LIFE = 100;
  private static final double LATE = 0.05;
  private static final int MIN_DELAY = 6;
  private static final int MAX_DELAY = 360;
  private static final String[] UNITS = {"s", "By", "{requests}", "%"};

  private final String prefix;
  private final int pods;
  private final Random random = new Random(23);
  private final Map<String, Total> totals = new TreeMap<>();

  /**
   * What was held back, by the step in which it is sent: requests one after the other, which is one
   * request of all. As messages, those of many series would not fit into memory.
   */
  private final TreeMap<Integer, ByteArrayOutputStream> late = new TreeMap<>();

  /**
   * @param prefix of the names of metrics
   */
  PodFleet(String prefix, int series) {
    this.prefix = prefix;
    this.pods = series / SERIES_OF_POD;
  }

  @Override
  public int series() {
    return pods * SERIES_OF_POD;
  }

  @Override
  public void step(int number, Instant time, Receiver receiver)
      throws IOException, InterruptedException {
    OtlpBody body = new OtlpBody();
    for (int pod = 0; pod < pods; pod++) {
      int life = (number / STEPS_OF_MINUTE + pod) / MINUTES_OF_LIFE;
      String name = "svc-%02d-7f%04x-%05d".formatted(pod % SERVICES, life, pod);
      Resource resource =
          OtlpBody.resource(
              "service.name",
              "svc-%02d".formatted(pod % SERVICES),
              "k8s.pod.name",
              name,
              "k8s.namespace.name",
              "namespace-" + pod % 7,
              "cloud.region",
              "eu-central-" + pod % 3);
      List<Metric> metrics = new ArrayList<>();
      for (int metric = 0; metric < METRICS; metric++) {
        metrics.add(metric(name, metric, time));
      }
      if (random.nextDouble() < LATE) {
        int delay = MIN_DELAY + random.nextInt(MAX_DELAY - MIN_DELAY);
        OtlpBody export = new OtlpBody();
        export.add(resource, metrics);
        late.computeIfAbsent(number + delay, due -> new ByteArrayOutputStream())
            .writeBytes(export.take());
      } else {
        body.add(resource, metrics);
      }
      if ((pod + 1) % PODS_OF_BODY == 0 || pod == pods - 1) {
        receiver.accept(body.take());
      }
    }
    while (!late.isEmpty() && late.firstKey() <= number) {
      receiver.accept(late.pollFirstEntry().getValue().toByteArray());
    }
  }

  private Metric metric(String pod, int metric, Instant time) {
    String name = prefix + ".pod." + metric;
    List<NumberDataPoint> points = new ArrayList<>();
    double sum = 0;
    for (int route = 0; route < ROUTES; route++) {
      double value = random.nextInt(1_000_000) / 1_000.0;
      sum += value;
      List<KeyValue> labels =
          OtlpBody.attributes(
              "http.request.method",
              route % 2 == 0 ? "GET" : "POST",
              "http.response.status_code",
              Integer.toString(200 + 100 * (route % 3)),
              "http.route",
              "/api/v2/organizations/{id}/things/" + route,
              "instance",
              pod.substring(pod.length() - 5) + ":8080");
      points.add(OtlpBody.point(labels, time, value));
    }
    totals.merge(
        name, new Total(ROUTES, sum), (one, other) -> one.plus(other.count(), other.sum()));
    return metric % 2 == 0
        ? OtlpBody.gauge(name, UNITS[metric], points)
        : OtlpBody.delta(name, UNITS[metric], points);
  }

  @Override
  public void finish(Receiver receiver) throws IOException, InterruptedException {
    while (!late.isEmpty()) {
      receiver.accept(late.pollFirstEntry().getValue().toByteArray());
    }
  }

  @Override
  public Map<String, Total> totals() {
    return totals;
  }

  @Override
  public String shape() {
    return "pods: %,d series, 8 labels, 1 %% replaced a minute, 5 %% late".formatted(series());
  }
}
