package io.tidemark.platform.ingest.prometheus;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import java.util.Arrays;

/**
 * Collects encoded points by resource and metric, and gives them as one encoded
 * ExportMetricsServiceRequest. Points lie in one array in the order in which they come; each knows
 * the next one of its metric. Stops at the size of a record.
 */
final class OtlpAssembly {

  /** The same number in all kinds of data. */
  private static final int POINTS = Gauge.DATA_POINTS_FIELD_NUMBER;

  /** The same number in sums and both histograms. */
  private static final int TEMPORALITY = Sum.AGGREGATION_TEMPORALITY_FIELD_NUMBER;

  /** For tags and lengths of the levels around the points. */
  private static final int AROUND = 40;

  private static final int NONE = -1;

  private final int maxRecord;
  private final DistinctBytes resources = new DistinctBytes();

  /** Each metric is told from others by its resource, its kind and its head. */
  private final DistinctBytes metrics = new DistinctBytes();

  private final ProtobufBytes metricKey = new ProtobufBytes(256);
  private final ProtobufBytes points;
  private final RangeList places = new RangeList();

  private final Chains metricsOfResources = new Chains();
  private final Chains pointsOfMetrics = new Chains();

  /** Per metric: bytes of its points, and where in its key its head begins. */
  private int[] sizeOfPoints = new int[16];

  private int[] headAt = new int[16];
  private PointKind[] kinds = new PointKind[16];
  private long size;

  /**
   * An assembly without points.
   *
   * @param points empty; for this assembly alone until its record is made
   */
  OtlpAssembly(int maxRecord, ProtobufBytes points) {
    this.maxRecord = maxRecord;
    this.points = points;
  }

  /** Lists of numbers that grow side by side. */
  private static final class Chains {

    private int[] first = new int[16];
    private int[] last = new int[16];
    private int[] next = new int[64];

    void begin(int chain) {
      if (chain == first.length) {
        first = Arrays.copyOf(first, 2 * chain);
        last = Arrays.copyOf(last, 2 * chain);
      }
      first[chain] = NONE;
    }

    /** Adds a number that is one more than the last one added to any chain. */
    void add(int chain, int number) {
      if (number == next.length) {
        next = Arrays.copyOf(next, 2 * number);
      }
      next[number] = NONE;
      if (first[chain] == NONE) {
        first[chain] = number;
      } else {
        next[last[chain]] = number;
      }
      last[chain] = number;
    }
  }

  /**
   * The number of a resource.
   *
   * @param resource an encoded Resource
   */
  int resource(ProtobufBytes resource) throws InvalidProtocolBufferException {
    int known = resources.count();
    int number = resources.number(resource);
    if (number == known) {
      grow(resource.length() + AROUND);
      metricsOfResources.begin(number);
    }
    return number;
  }

  /**
   * The number of a metric of a resource.
   *
   * @param head name, description and unit of an encoded Metric
   */
  int metric(int resource, PointKind kind, ProtobufBytes head)
      throws InvalidProtocolBufferException {
    metricKey.clear();
    metricKey.varint(resource);
    metricKey.varint(kind.ordinal());
    int prefix = metricKey.length();
    metricKey.raw(head);
    int known = metrics.count();
    int number = metrics.number(metricKey);
    if (number == known) {
      grow(head.length() + AROUND);
      if (number == kinds.length) {
        kinds = Arrays.copyOf(kinds, 2 * number);
        headAt = Arrays.copyOf(headAt, 2 * number);
        sizeOfPoints = Arrays.copyOf(sizeOfPoints, 2 * number);
      }
      kinds[number] = kind;
      headAt[number] = prefix;
      metricsOfResources.add(resource, number);
      pointsOfMetrics.begin(number);
    }
    return number;
  }

  /** Begins a point of a metric; so many bytes must be written next to what is returned. */
  ProtobufBytes point(int metric, int content) throws InvalidProtocolBufferException {
    int whole = ProtobufBytes.sizeOfDelimited(content);
    grow(whole);
    pointsOfMetrics.add(metric, places.count());
    places.add(points.length(), whole);
    sizeOfPoints[metric] += whole;
    points.head(POINTS, content);
    return points;
  }

  private void grow(int more) throws InvalidProtocolBufferException {
    size += more;
    if (size > maxRecord) {
      throw new InvalidProtocolBufferException(
          "written out as OTLP it has more than "
              + maxRecord
              + " bytes; send fewer samples in a request (max_samples_per_send)");
    }
  }

  /** The whole request; empty when there is no point. */
  byte[] record() {
    int[] scopes = new int[resources.count()];
    int whole = 0;
    for (int resource = 0; resource < scopes.length; resource++) {
      for (int metric = metricsOfResources.first[resource];
          metric != NONE;
          metric = metricsOfResources.next[metric]) {
        scopes[resource] += ProtobufBytes.sizeOfDelimited(sizeOfMetric(metric));
      }
      whole += ProtobufBytes.sizeOfDelimited(sizeOfResource(resource, scopes[resource]));
    }
    ProtobufBytes out = new ProtobufBytes(whole);
    for (int resource = 0; resource < scopes.length; resource++) {
      out.head(
          ExportMetricsServiceRequest.RESOURCE_METRICS_FIELD_NUMBER,
          sizeOfResource(resource, scopes[resource]));
      out.delimited(
          ResourceMetrics.RESOURCE_FIELD_NUMBER,
          resources.array(),
          resources.start(resource),
          resources.size(resource));
      out.head(ResourceMetrics.SCOPE_METRICS_FIELD_NUMBER, scopes[resource]);
      for (int metric = metricsOfResources.first[resource];
          metric != NONE;
          metric = metricsOfResources.next[metric]) {
        writeMetric(metric, out);
      }
    }
    return out.whole();
  }

  private int sizeOfResource(int resource, int scope) {
    return ProtobufBytes.sizeOfDelimited(resources.size(resource))
        + ProtobufBytes.sizeOfDelimited(scope);
  }

  private int sizeOfMetric(int metric) {
    return metrics.size(metric)
        - headAt[metric]
        + ProtobufBytes.sizeOfDelimited(sizeOfData(metric));
  }

  private int sizeOfData(int metric) {
    PointKind kind = kinds[metric];
    return sizeOfPoints[metric]
        + (kind == PointKind.GAUGE ? 0 : 2)
        + (kind == PointKind.COUNTER ? 2 : 0);
  }

  private void writeMetric(int metric, ProtobufBytes out) {
    PointKind kind = kinds[metric];
    out.head(ScopeMetrics.METRICS_FIELD_NUMBER, sizeOfMetric(metric));
    out.raw(
        metrics.array(),
        metrics.start(metric) + headAt[metric],
        metrics.size(metric) - headAt[metric]);
    out.head(kind.data, sizeOfData(metric));
    for (int point = pointsOfMetrics.first[metric];
        point != NONE;
        point = pointsOfMetrics.next[point]) {
      out.raw(points.array(), places.start(point), places.size(point));
    }
    if (kind != PointKind.GAUGE) {
      out.varint(TEMPORALITY, AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE_VALUE);
    }
    if (kind == PointKind.COUNTER) {
      out.varint(Sum.IS_MONOTONIC_FIELD_NUMBER, 1);
    }
  }
}
