package io.tidemark.flink.io.points;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import io.opentelemetry.proto.metrics.v1.Exemplar;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.tidemark.flink.io.points.SentPoint.Temporality;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Reads batches of the plain form straight from their bytes: fields in the order of their numbers,
 * every point usable. Names and labels are compared as bytes with those met before and parsed once.
 * Whatever is unusual, doubtful or to be rejected ends the scan with {@link NotPlainException}, and
 * {@link OtlpDecoder} takes the whole batch; so this class decides nothing that the other does not.
 */
final class PlainScan {

  // Tags: field number << 3 | wire type.
  private static final int FIRST_MESSAGE = 0x0a;
  private static final int SECOND_MESSAGE = 0x12;
  private static final int UNIT = 0x1a;
  private static final int GAUGE = 0x2a;
  private static final int SUM = 0x3a;
  private static final int HISTOGRAM = 0x4a;
  private static final int EXPONENTIAL_HISTOGRAM = 0x52;
  private static final int SUMMARY = 0x5a;
  private static final int TEMPORALITY = 0x10;
  private static final int MONOTONIC = 0x18;
  private static final int START = 0x11;
  private static final int TIME = 0x19;
  private static final int AS_DOUBLE = 0x21;
  private static final int EXEMPLAR = 0x2a;
  private static final int AS_INT = 0x31;
  private static final int ATTRIBUTE = 0x3a;
  private static final int FLAGS = 0x40;

  /** Parts are parsed apart from their batch; staying well below the parser's depth is safe. */
  private static final int DEPTH = 50;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private record MetricHead(SeriesDescriptor withoutAttributes, boolean isCumulative) {}

  private final PointTimeLimits limits;
  private final SeriesSlots slots;
  private final Map<String, Integer> tenants = new HashMap<>();
  private final RawTable resources = new RawTable();
  private final List<Map<String, String>> resourceLabels = new ArrayList<>();
  private final RawTable frames = new RawTable();
  private final RawTable metrics = new RawTable();
  private final List<MetricHead> metricHeads = new ArrayList<>();
  private final RawTable series = new RawTable();
  private int[] slotOfSeries = new int[256];

  private PointsRecord record;
  private PointBatch batch;
  private long receivedAt;
  private byte[] bytes = new byte[0];
  private int at;
  private int index;
  private Temporality temporality = Temporality.INSTANT;

  PlainScan(PointTimeLimits limits, SeriesSlots slots, PointsRecord first, PointBatch batch) {
    this.limits = limits;
    this.slots = slots;
    this.record = first;
    this.batch = batch;
  }

  /** What the tables hold, bytes of labels and names. */
  long rememberedBytes() {
    return resources.bytes() + frames.bytes() + metrics.bytes() + series.bytes();
  }

  /** Fills the batch; after an exception its content is of no use. */
  void scan(PointsRecord source, long receivedAtUnixMs, PointBatch target)
      throws NotPlainException {
    record = source;
    receivedAt = receivedAtUnixMs;
    batch = target;
    bytes = source.value();
    at = 0;
    index = 0;
    String tenantName = source.organizationId() + "/" + source.environmentId();
    int tenant = tenants.computeIfAbsent(tenantName, ignored -> tenants.size());
    while (at < bytes.length) {
      expect(FIRST_MESSAGE);
      resourceMetrics(tenant, length(bytes.length));
    }
  }

  private void resourceMetrics(int tenant, int end) throws NotPlainException {
    int head = at;
    while (at < end && bytes[at] == FIRST_MESSAGE) {
      skipMessage(end);
    }
    int resource = resource(tenant, head, at);
    while (at < end && bytes[at] == SECOND_MESSAGE) {
      at++;
      scopeMetrics(resource, length(end));
    }
    if (at < end) {
      frame(true, at, end);
      at = end;
    }
  }

  private void scopeMetrics(int resource, int end) throws NotPlainException {
    int head = at;
    while (at < end && bytes[at] == FIRST_MESSAGE) {
      skipMessage(end);
    }
    frame(false, head, at);
    while (at < end && bytes[at] == SECOND_MESSAGE) {
      at++;
      metric(resource, length(end));
    }
    if (at < end) {
      frame(false, at, end);
      at = end;
    }
  }

  private void metric(int resource, int end) throws NotPlainException {
    int head = at;
    while (at < end
        && (bytes[at] == FIRST_MESSAGE || bytes[at] == SECOND_MESSAGE || bytes[at] == UNIT)) {
      skipMessage(end);
    }
    if (at == end) {
      throw NotPlainException.INSTANCE;
    }
    int headEnd = at;
    int data = bytes[at++];
    int dataEnd = length(end);
    if (dataEnd != end) {
      throw NotPlainException.INSTANCE;
    }
    switch (data) {
      case GAUGE -> {
        temporality = Temporality.INSTANT;
        points(metricHead(resource, MetricKind.GAUGE, false, head, headEnd), end);
      }
      case SUM -> sum(resource, head, headEnd, end);
      case HISTOGRAM, EXPONENTIAL_HISTOGRAM, SUMMARY -> parsed(resource, head, end);
      default -> throw NotPlainException.INSTANCE;
    }
  }

  /** Temporality and monotonicity follow the points that they are about. */
  private void sum(int resource, int head, int headEnd, int end) throws NotPlainException {
    int points = at;
    while (at < end && bytes[at] == FIRST_MESSAGE) {
      skipMessage(end);
    }
    int pointsEnd = at;
    if (end - at < 2 || bytes[at] != TEMPORALITY) {
      throw NotPlainException.INSTANCE;
    }
    int sentTemporality = bytes[at + 1];
    at += 2;
    boolean isMonotonic = false;
    if (end - at == 2 && bytes[at] == MONOTONIC && bytes[at + 1] == 1) {
      isMonotonic = true;
      at += 2;
    }
    if (at != end || sentTemporality < 1 || sentTemporality > 2) {
      throw NotPlainException.INSTANCE;
    }
    temporality = sentTemporality == 2 ? Temporality.CUMULATIVE : Temporality.DELTA;
    MetricKind kind = isMonotonic ? MetricKind.COUNTER : MetricKind.UPDOWN_COUNTER;
    // A cumulative sum that may shrink is a level: it is read like a gauge.
    boolean isCumulative = isMonotonic && temporality == Temporality.CUMULATIVE;
    at = points;
    points(metricHead(resource, kind, isCumulative, head, headEnd), pointsEnd);
    at = end;
  }

  private void points(int metric, int end) throws NotPlainException {
    boolean isCumulative = metricHeads.get(metric).isCumulative();
    while (at < end) {
      expect(FIRST_MESSAGE);
      point(metric, isCumulative, length(end));
    }
  }

  private void point(int metric, boolean isCumulative, int end) throws NotPlainException {
    long start = 0;
    long time = 0;
    double value = Double.NaN;
    long bits = 0;
    boolean isInt = false;
    int flags = 0;
    int attributes = at;
    int attributesEnd = at;
    while (at < end) {
      switch (bytes[at++]) {
        case START -> start = fixed64(end);
        case TIME -> time = fixed64(end);
        case AS_DOUBLE -> {
          bits = fixed64(end);
          isInt = false;
          value = Double.longBitsToDouble(bits);
        }
        case AS_INT -> {
          bits = fixed64(end);
          isInt = true;
          value = (double) bits;
        }
        case ATTRIBUTE -> {
          if (attributes == attributesEnd) {
            attributes = at - 1;
          } else if (attributesEnd != at - 1) {
            throw NotPlainException.INSTANCE;
          }
          at = length(end);
          attributesEnd = at;
        }
        case FLAGS -> {
          // One byte holds every flag that is defined.
          if (at == end || bytes[at] < 0) {
            throw NotPlainException.INSTANCE;
          }
          flags = bytes[at++];
        }
        case EXEMPLAR -> exemplar(length(end));
        default -> throw NotPlainException.INSTANCE;
      }
    }
    int slot = slot(metric, attributes, attributesEnd);
    int position = index++;
    if ((flags & 1) != 0) {
      batch.addWithoutValue();
      return;
    }
    // Infinite, NaN or missing; or a time that is not believed.
    if (!Double.isFinite(value) || !limits.accepts(time, receivedAt)) {
      throw NotPlainException.INSTANCE;
    }
    SentPoints sent = batch.sent();
    if (sent != null) {
      sent.add(temporality, start, flags, isInt, bits);
    }
    if (isCumulative) {
      batch.addReading(slot, position, time, start, value + 0.0, 0);
    } else {
      batch.addValue(slot, position, time, value + 0.0);
    }
  }

  /** Exemplars are not used, but damaged ones make the batch undecodable. */
  private void exemplar(int end) throws NotPlainException {
    int from = at;
    var unused = parse(Exemplar.parser(), from, end);
    at = end;
  }

  private void parsed(int resource, int from, int end) throws NotPlainException {
    Metric metric = parse(Metric.parser(), from, end);
    boolean[] isRejected = new boolean[1];
    Decoded decoded =
        new Decoded() {
          @Override
          public void point(MetricPoint point) {
            batch.add(slots.slotOf(point.key(), point.series()), point);
          }

          @Override
          public void sent(Supplier<SentPoint> point) {
            SentPoints sent = batch.sent();
            if (sent != null) {
              sent.add(point.get());
            }
          }

          @Override
          public void deadLetter(DeadLetter deadLetter) {
            isRejected[0] = true;
          }

          @Override
          public void noRecordedValue() {
            batch.addWithoutValue();
          }
        };
    index =
        OtlpDecoder.metric(
            record, receivedAt, limits, resourceLabels.get(resource), metric, index, decoded);
    if (isRejected[0]) {
      throw NotPlainException.INSTANCE;
    }
    at = end;
  }

  private int resource(int tenant, int from, int to) throws NotPlainException {
    int id = resources.find(tenant, bytes, from, to);
    if (id == RawTable.UNKNOWN) {
      ResourceMetrics head = parse(ResourceMetrics.parser(), from, to);
      Map<String, String> labels = AttributeText.of(head.getResource().getAttributesList());
      if (labels.containsKey("")) {
        throw NotPlainException.INSTANCE;
      }
      id = resources.add(tenant, bytes, from, to);
      resourceLabels.add(labels);
    }
    return id;
  }

  /** What surrounds resources and metrics names no series; it only has to be well-formed. */
  private void frame(boolean ofResource, int from, int to) throws NotPlainException {
    long owner = ofResource ? 1 : 0;
    if (frames.find(owner, bytes, from, to) != RawTable.UNKNOWN) {
      return;
    }
    if (ofResource) {
      ResourceMetrics rest = parse(ResourceMetrics.parser(), from, to);
      if (rest.hasResource() || rest.getScopeMetricsCount() > 0) {
        throw NotPlainException.INSTANCE;
      }
    } else {
      ScopeMetrics rest = parse(ScopeMetrics.parser(), from, to);
      if (rest.getMetricsCount() > 0) {
        throw NotPlainException.INSTANCE;
      }
    }
    frames.add(owner, bytes, from, to);
  }

  private int metricHead(int resource, MetricKind kind, boolean isCumulative, int from, int to)
      throws NotPlainException {
    long owner = ((long) resource << 8) | ((long) kind.ordinal() << 1) | (isCumulative ? 1 : 0);
    int id = metrics.find(owner, bytes, from, to);
    if (id == RawTable.UNKNOWN) {
      Metric head = parse(Metric.parser(), from, to);
      if (head.getName().isEmpty()) {
        throw NotPlainException.INSTANCE;
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

  private int slot(int metric, int from, int to) throws NotPlainException {
    int id = series.find(metric, bytes, from, to);
    if (id != RawTable.UNKNOWN) {
      return slotOfSeries[id];
    }
    NumberDataPoint point = parse(NumberDataPoint.parser(), from, to);
    Map<String, String> labels = AttributeText.of(point.getAttributesList());
    if (labels.containsKey("")) {
      throw NotPlainException.INSTANCE;
    }
    SeriesDescriptor head = metricHeads.get(metric).withoutAttributes();
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
      slotOfSeries = java.util.Arrays.copyOf(slotOfSeries, id * 2);
    }
    slotOfSeries[id] = slot;
    return slot;
  }

  private void expect(int tag) throws NotPlainException {
    if (bytes[at] != tag) {
      throw NotPlainException.INSTANCE;
    }
    at++;
  }

  private void skipMessage(int end) throws NotPlainException {
    at++;
    at = length(end);
  }

  /** Reads a length; returns where the content ends, at most {@code end}. */
  private int length(int end) throws NotPlainException {
    int length = 0;
    for (int shift = 0; shift < 28; shift += 7) {
      if (at >= end) {
        throw NotPlainException.INSTANCE;
      }
      byte next = bytes[at++];
      length |= (next & 0x7f) << shift;
      if (next >= 0) {
        if (length > end - at) {
          throw NotPlainException.INSTANCE;
        }
        return at + length;
      }
    }
    throw NotPlainException.INSTANCE;
  }

  private long fixed64(int end) throws NotPlainException {
    if (end - at < Long.BYTES) {
      throw NotPlainException.INSTANCE;
    }
    long value = (long) LONGS.get(bytes, at);
    at += Long.BYTES;
    return value;
  }

  private <T> T parse(Parser<T> parser, int from, int to) throws NotPlainException {
    CodedInputStream part = CodedInputStream.newInstance(bytes, from, to - from);
    part.setRecursionLimit(DEPTH);
    try {
      T message = parser.parseFrom(part);
      part.checkLastTagWas(0);
      return message;
    } catch (InvalidProtocolBufferException e) {
      throw NotPlainException.INSTANCE;
    }
  }
}
