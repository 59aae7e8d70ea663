package io.tidemark.pipeline.path;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.resource.v1.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Points of a counter, a gauge and a histogram over three days, and what they add up to, counted
 * from the points themselves in the plainest way.
 */
final class GeneratedPoints {
  static final String COUNTER = "generated.requests";
  static final String GAUGE = "generated.level";
  static final String HISTOGRAM = "generated.latency";
  static final List<String> LABELS = List.of("metric.topic", "metric.client", "resource.kafka.id");

  /** Druid orders texts by Java's chars, which is not the order of code points. */
  private static final List<String> CLIENTS = List.of("c\uFF5E", "c\uD83D\uDE00", "c2", "c3");

  /** {@code bucket} is the index at scale 3 of a histogram's one observation. */
  public record Point(
      String metric, Map<String, String> labels, Instant time, double value, int bucket) {}

  private final List<Point> points = new ArrayList<>();

  GeneratedPoints(Random random, Instant begin, int number) {
    for (int i = 0; i < number; i++) {
      Map<String, String> labels = new TreeMap<>();
      labels.put("resource.kafka.id", "lkc-" + random.nextInt(2));
      labels.put("metric.topic", "t" + random.nextInt(3));
      if (random.nextInt(4) > 0) {
        labels.put("metric.client", CLIENTS.get(random.nextInt(CLIENTS.size())));
      }
      points.add(
          new Point(
              List.of(COUNTER, GAUGE, HISTOGRAM).get(i % 3),
              labels,
              begin.plusMillis((long) (random.nextDouble() * 3 * 86_400_000)),
              1 + random.nextInt(500),
              random.nextInt(24)));
    }
  }

  public List<Point> points() {
    return points;
  }

  /** Requests that carry all of them. */
  List<byte[]> requests(int pointsOfOne) {
    List<byte[]> requests = new ArrayList<>();
    for (int from = 0; from < points.size(); from += pointsOfOne) {
      ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
      for (Point point : points.subList(from, Math.min(points.size(), from + pointsOfOne))) {
        request.addResourceMetrics(
            ResourceMetrics.newBuilder()
                .setResource(
                    Resource.newBuilder()
                        .addAttributes(attribute("tidemark.resource.type", "kafka"))
                        .addAttributes(
                            attribute(
                                "tidemark.resource.id", point.labels().get("resource.kafka.id"))))
                .addScopeMetrics(ScopeMetrics.newBuilder().addMetrics(metric(point))));
      }
      requests.add(request.build().toByteArray());
    }
    return requests;
  }

  private static Metric metric(Point point) {
    Metric.Builder metric = Metric.newBuilder().setName(point.metric()).setUnit("1");
    NumberDataPoint.Builder number =
        NumberDataPoint.newBuilder()
            .setTimeUnixNano(nanos(point.time()))
            .setStartTimeUnixNano(nanos(point.time().minusSeconds(1)))
            .setAsDouble(point.value());
    ExponentialHistogramDataPoint.Builder histogram =
        ExponentialHistogramDataPoint.newBuilder()
            .setTimeUnixNano(nanos(point.time()))
            .setStartTimeUnixNano(nanos(point.time().minusSeconds(1)))
            .setScale(3)
            .setCount(1)
            .setSum(point.value())
            .setPositive(
                ExponentialHistogramDataPoint.Buckets.newBuilder()
                    .setOffset(point.bucket())
                    .addBucketCounts(1));
    point
        .labels()
        .forEach(
            (key, value) -> {
              if (key.startsWith("metric.")) {
                number.addAttributes(attribute(key.substring(7), value));
                histogram.addAttributes(attribute(key.substring(7), value));
              }
            });
    return switch (point.metric()) {
      case COUNTER ->
          metric
              .setSum(
                  Sum.newBuilder()
                      .setIsMonotonic(true)
                      .setAggregationTemporality(
                          AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA)
                      .addDataPoints(number))
              .build();
      case GAUGE -> metric.setGauge(Gauge.newBuilder().addDataPoints(number)).build();
      default ->
          metric
              .setExponentialHistogram(
                  ExponentialHistogram.newBuilder()
                      .setAggregationTemporality(
                          AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA)
                      .addDataPoints(histogram))
              .build();
    };
  }

  private static KeyValue attribute(String key, String value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setStringValue(value))
        .build();
  }

  private static long nanos(Instant time) {
    return time.getEpochSecond() * 1_000_000_000L + time.getNano();
  }

  /** A query of one aggregation; {@code width} in milliseconds, 0 for everything in one. */
  record Question(
      String metric,
      String function,
      Instant start,
      Instant end,
      long width,
      List<String> groupBy,
      String filterLabel,
      String filterValue,
      boolean isNegated) {}

  /** Values by group (labels joined by a slash, empty where absent) and start of bucket. */
  Map<String, Map<Instant, Double>> answer(Question question) {
    Map<String, Map<Instant, List<Point>>> groups = new HashMap<>();
    for (Point point : points) {
      Instant minute = bucket(point.time(), 60_000);
      String label = point.labels().get(question.filterLabel());
      boolean isMeant =
          question.filterLabel().isEmpty()
              || question.filterValue().equals(label) != question.isNegated();
      if (point.metric().equals(question.metric())
          && isMeant
          && !minute.isBefore(question.start())
          && minute.isBefore(question.end())) {
        String group =
            String.join(
                "/",
                question.groupBy().stream()
                    .map(key -> point.labels().getOrDefault(key, ""))
                    .toList());
        Instant bucket =
            question.width() == 0 ? question.start() : bucket(point.time(), question.width());
        groups
            .computeIfAbsent(group, ignored -> new HashMap<>())
            .computeIfAbsent(bucket, ignored -> new ArrayList<>())
            .add(point);
      }
    }
    Map<String, Map<Instant, Double>> answer = new TreeMap<>();
    groups.forEach(
        (group, buckets) ->
            buckets.forEach(
                (bucket, each) ->
                    answer
                        .computeIfAbsent(group, ignored -> new TreeMap<>())
                        .put(bucket, value(question, each))));
    return answer;
  }

  private static Instant bucket(Instant time, long width) {
    return Instant.ofEpochMilli(Math.floorDiv(time.toEpochMilli(), width) * width);
  }

  private static double value(Question question, List<Point> points) {
    double sum = points.stream().mapToDouble(Point::value).sum();
    if (question.function().equals("SUM") && question.metric().equals(GAUGE)) {
      Map<Map<String, String>, List<Double>> series = new HashMap<>();
      points.forEach(
          point ->
              series
                  .computeIfAbsent(point.labels(), ignored -> new ArrayList<>())
                  .add(point.value()));
      return series.values().stream()
          .mapToDouble(each -> each.stream().mapToDouble(v -> v).average().orElseThrow())
          .sum();
    }
    return switch (question.function()) {
      case "SUM" -> sum;
      case "COUNT" -> points.size();
      case "AVG" -> sum / points.size();
      case "MIN" -> points.stream().mapToDouble(Point::value).min().orElseThrow();
      case "MAX" -> points.stream().mapToDouble(Point::value).max().orElseThrow();
      case "P50" -> quantile(points, 0.5);
      case "P99" -> quantile(points, 0.99);
      default -> throw new IllegalArgumentException(question.function());
    };
  }

  private static double quantile(List<Point> points, double quantile) {
    List<Integer> buckets = points.stream().map(Point::bucket).sorted().toList();
    int rank = (int) Math.max(1, Math.ceil(quantile * buckets.size()));
    return Math.pow(2, (2 * buckets.get(rank - 1) + 1) / 16.0);
  }
}
