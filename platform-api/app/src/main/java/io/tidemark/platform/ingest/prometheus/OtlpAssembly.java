package io.tidemark.platform.ingest.prometheus;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Collects encoded points by resource and metric, and gives them as one encoded
 * ExportMetricsServiceRequest. Stops at the size of a record.
 */
final class OtlpAssembly {

  /** The same number in all kinds of data. */
  private static final int POINTS = Gauge.DATA_POINTS_FIELD_NUMBER;

  /** The same number in sums and both histograms. */
  private static final int TEMPORALITY = Sum.AGGREGATION_TEMPORALITY_FIELD_NUMBER;

  /** For tags and lengths of the levels around the points. */
  private static final int AROUND = 40;

  private final int greatestRecord;
  private final Map<String, ResourcePart> resources = new LinkedHashMap<>();
  private long size;

  OtlpAssembly(int greatestRecord) {
    this.greatestRecord = greatestRecord;
  }

  /** All points of one resource. */
  private record ResourcePart(byte[] resource, Map<String, MetricPart> metrics) {}

  /** All points of one metric of a resource. */
  final class MetricPart {
    private final PointKind kind;
    private final byte[] head;
    private final ProtobufBytes points = new ProtobufBytes(128);

    private MetricPart(PointKind kind, byte[] head) {
      this.kind = kind;
      this.head = head;
    }

    void add(ProtobufBytes point) throws InvalidProtocolBufferException {
      grow(ProtobufBytes.sizeOfDelimited(point.length()));
      points.delimited(POINTS, point);
    }

    private int sizeOfData() {
      return points.length()
          + (kind == PointKind.GAUGE ? 0 : 2)
          + (kind == PointKind.COUNTER ? 2 : 0);
    }

    private int size() {
      return head.length + ProtobufBytes.sizeOfDelimited(sizeOfData());
    }

    private void writeTo(ProtobufBytes out) {
      out.head(ScopeMetrics.METRICS_FIELD_NUMBER, size());
      out.raw(head, 0, head.length);
      out.head(kind.data, sizeOfData());
      out.raw(points);
      if (kind != PointKind.GAUGE) {
        out.varint(TEMPORALITY, AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE_VALUE);
      }
      if (kind == PointKind.COUNTER) {
        out.varint(Sum.IS_MONOTONIC_FIELD_NUMBER, 1);
      }
    }
  }

  /**
   * The place for points of a metric of a resource.
   *
   * @param resource an encoded Resource
   * @param head name, description and unit of an encoded Metric
   */
  MetricPart part(ProtobufBytes resource, PointKind kind, ProtobufBytes head)
      throws InvalidProtocolBufferException {
    String nameOfResource = resource.asKey();
    ResourcePart ofResource = resources.get(nameOfResource);
    if (ofResource == null) {
      grow(resource.length() + AROUND);
      ofResource = new ResourcePart(copy(resource), new LinkedHashMap<>());
      resources.put(nameOfResource, ofResource);
    }
    String nameOfMetric = kind.ordinal() + head.asKey();
    MetricPart part = ofResource.metrics.get(nameOfMetric);
    if (part == null) {
      grow(head.length() + AROUND);
      part = new MetricPart(kind, copy(head));
      ofResource.metrics.put(nameOfMetric, part);
    }
    return part;
  }

  private void grow(int more) throws InvalidProtocolBufferException {
    size += more;
    if (size > greatestRecord) {
      throw new InvalidProtocolBufferException(
          "written out as OTLP it has more than "
              + greatestRecord
              + " bytes; send fewer samples in a request (max_samples_per_send)");
    }
  }

  /** The whole request; empty when there is no point. */
  byte[] record() {
    ProtobufBytes out = new ProtobufBytes((int) size + 16);
    for (ResourcePart part : resources.values()) {
      int scope = 0;
      for (MetricPart metric : part.metrics.values()) {
        scope += ProtobufBytes.sizeOfDelimited(metric.size());
      }
      out.head(
          ExportMetricsServiceRequest.RESOURCE_METRICS_FIELD_NUMBER,
          ProtobufBytes.sizeOfDelimited(part.resource.length)
              + ProtobufBytes.sizeOfDelimited(scope));
      out.delimited(ResourceMetrics.RESOURCE_FIELD_NUMBER, part.resource, 0, part.resource.length);
      out.head(ResourceMetrics.SCOPE_METRICS_FIELD_NUMBER, scope);
      for (MetricPart metric : part.metrics.values()) {
        metric.writeTo(out);
      }
    }
    return copy(out);
  }

  private static byte[] copy(ProtobufBytes bytes) {
    byte[] copy = new byte[bytes.length()];
    System.arraycopy(bytes.array(), 0, copy, 0, copy.length);
    return copy;
  }
}
