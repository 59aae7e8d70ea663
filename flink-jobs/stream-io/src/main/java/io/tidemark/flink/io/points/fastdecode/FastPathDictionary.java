package io.tidemark.flink.io.points.fastdecode;

import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.decode.AttributeText;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What {@link FastOtlpDecoder} knows by its bytes: resources, metrics and series that were met
 * before. New ones are parsed once.
 */
final class FastPathDictionary extends ProtobufCursor {

  private record MetricHead(SeriesDescriptor withoutAttributes, boolean isCumulative) {}

  private final SeriesIndex slots;
  private final ByteInterner resources = new ByteInterner();
  private final List<Map<String, String>> resourceLabels = new ArrayList<>();
  private final ByteInterner frames = new ByteInterner();
  private final ByteInterner metrics = new ByteInterner();
  private final List<MetricHead> metricHeads = new ArrayList<>();
  private final ByteInterner series = new ByteInterner();
  private int[] slotOfSeries = new int[256];

  FastPathDictionary(SeriesIndex slots) {
    this.slots = slots;
  }

  long rememberedBytes() {
    return resources.bytes() + frames.bytes() + metrics.bytes() + series.bytes();
  }

  Map<String, String> resourceLabels(int resource) {
    return resourceLabels.get(resource);
  }

  boolean isCumulative(int metric) {
    return metricHeads.get(metric).isCumulative();
  }

  int resource(int tenant, int from, int to) throws FastPathMissException {
    int id = resources.find(tenant, bytes, from, to);
    if (id == ByteInterner.UNKNOWN) {
      ResourceMetrics head = parse(ResourceMetrics.parser(), from, to);
      Map<String, String> labels = AttributeText.of(head.getResource().getAttributesList());
      if (labels.containsKey("")) {
        throw FastPathMissException.INSTANCE;
      }
      id = resources.add(tenant, bytes, from, to);
      resourceLabels.add(labels);
    }
    return id;
  }

  /** What surrounds resources and metrics names no series; it only has to be well-formed. */
  void frame(boolean ofResource, int from, int to) throws FastPathMissException {
    long owner = ofResource ? 1 : 0;
    if (frames.find(owner, bytes, from, to) != ByteInterner.UNKNOWN) {
      return;
    }
    if (ofResource) {
      ResourceMetrics rest = parse(ResourceMetrics.parser(), from, to);
      if (rest.hasResource() || rest.getScopeMetricsCount() > 0) {
        throw FastPathMissException.INSTANCE;
      }
    } else {
      ScopeMetrics rest = parse(ScopeMetrics.parser(), from, to);
      if (rest.getMetricsCount() > 0) {
        throw FastPathMissException.INSTANCE;
      }
    }
    frames.add(owner, bytes, from, to);
  }

  int metric(
      PointsRecord record, int resource, MetricKind kind, boolean isCumulative, int from, int to)
      throws FastPathMissException {
    long owner = ((long) resource << 8) | ((long) kind.ordinal() << 1) | (isCumulative ? 1 : 0);
    int id = metrics.find(owner, bytes, from, to);
    if (id == ByteInterner.UNKNOWN) {
      Metric head = parse(Metric.parser(), from, to);
      if (head.getName().isEmpty()) {
        throw FastPathMissException.INSTANCE;
      }
      SeriesDescriptor descriptor =
          new SeriesDescriptor(
              record.organizationId(),
              record.environmentId(),
              head.getName(),
              kind,
              head.getUnit(),
              resourceLabels.get(resource),
              Map.of());
      id = metrics.add(owner, bytes, from, to);
      metricHeads.add(new MetricHead(descriptor, isCumulative));
    }
    return id;
  }

  int slot(int metric, int from, int to) throws FastPathMissException {
    int id = series.find(metric, bytes, from, to);
    if (id != ByteInterner.UNKNOWN) {
      return slotOfSeries[id];
    }
    SeriesDescriptor head = metricHeads.get(metric).withoutAttributes();
    List<KeyValue> attributes =
        switch (head.kind()) {
          case HISTOGRAM -> parse(HistogramDataPoint.parser(), from, to).getAttributesList();
          case EXPONENTIAL_HISTOGRAM ->
              parse(ExponentialHistogramDataPoint.parser(), from, to).getAttributesList();
          default -> parse(NumberDataPoint.parser(), from, to).getAttributesList();
        };
    Map<String, String> labels = AttributeText.of(attributes);
    if (labels.containsKey("")) {
      throw FastPathMissException.INSTANCE;
    }
    SeriesDescriptor descriptor =
        new SeriesDescriptor(
            head.organizationId(),
            head.environmentId(),
            head.metric(),
            head.kind(),
            head.unit(),
            head.resource(),
            labels);
    int slot = slots.slotOf(SeriesKey.of(descriptor), descriptor);
    id = series.add(metric, bytes, from, to);
    if (id == slotOfSeries.length) {
      slotOfSeries = Arrays.copyOf(slotOfSeries, id * 2);
    }
    slotOfSeries[id] = slot;
    return slot;
  }
}
