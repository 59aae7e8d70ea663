package io.tidemark.flink.io.points.fastdecode;

import io.opentelemetry.proto.metrics.v1.Exemplar;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.decode.DecodedPointConsumer;
import io.tidemark.flink.io.points.decode.OtlpDecoder;
import io.tidemark.flink.io.points.decode.PointValues;
import io.tidemark.flink.io.points.decode.SentPoint;
import io.tidemark.flink.io.points.decode.SentPoint.Temporality;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.series.MetricKind;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Reads batches of the plain form straight from their bytes: fields in the order of their numbers,
 * every point usable. Names and labels are compared as bytes with those met before and parsed once.
 * Whatever is unusual, doubtful or to be rejected ends the scan with {@link FastPathMissException},
 * and {@link OtlpDecoder} takes the whole batch; so this class decides nothing that the other does
 * not.
 */
final class FastOtlpDecoder extends ProtobufCursor {

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

  private final SeriesIndex slots;
  private final Map<String, Integer> tenants = new HashMap<>();
  private final FastPathDictionary names;
  private final FastHistogramReader histogram = new FastHistogramReader();

  private PointsRecord record;
  private PointBatch batch;
  private PointTimeLimits limits = PointTimeLimits.DEFAULT;
  private long receivedAt;
  private int index;
  private Temporality temporality = Temporality.INSTANT;

  FastOtlpDecoder(SeriesIndex slots, PointsRecord first, PointBatch batch) {
    this.slots = slots;
    this.names = new FastPathDictionary(slots);
    this.record = first;
    this.batch = batch;
  }

  /** What the tables hold, bytes of labels and names. */
  long rememberedBytes() {
    return names.rememberedBytes() + histogram.rememberedBytes();
  }

  /** Fills the batch; after an exception its content is of no use. */
  void scan(PointsRecord source, long receivedAtUnixMs, PointTimeLimits times, PointBatch target)
      throws FastPathMissException {
    limits = times;
    record = source;
    receivedAt = receivedAtUnixMs;
    batch = target;
    bytes = source.value();
    names.bytes = bytes;
    at = 0;
    index = 0;
    String tenantName = source.organizationId() + "/" + source.environmentId();
    int tenant = tenants.computeIfAbsent(tenantName, ignored -> tenants.size());
    while (at < bytes.length) {
      expect(FIRST_MESSAGE);
      resourceMetrics(tenant, length(bytes.length));
    }
  }

  private void resourceMetrics(int tenant, int end) throws FastPathMissException {
    int head = at;
    while (at < end && bytes[at] == FIRST_MESSAGE) {
      skipMessage(end);
    }
    int resource = names.resource(tenant, head, at);
    while (at < end && bytes[at] == SECOND_MESSAGE) {
      at++;
      scopeMetrics(resource, length(end));
    }
    if (at < end) {
      names.frame(true, at, end);
      at = end;
    }
  }

  private void scopeMetrics(int resource, int end) throws FastPathMissException {
    int head = at;
    while (at < end && bytes[at] == FIRST_MESSAGE) {
      skipMessage(end);
    }
    names.frame(false, head, at);
    while (at < end && bytes[at] == SECOND_MESSAGE) {
      at++;
      metric(resource, length(end));
    }
    if (at < end) {
      names.frame(false, at, end);
      at = end;
    }
  }

  private void metric(int resource, int end) throws FastPathMissException {
    int head = at;
    while (at < end
        && (bytes[at] == FIRST_MESSAGE || bytes[at] == SECOND_MESSAGE || bytes[at] == UNIT)) {
      skipMessage(end);
    }
    if (at == end) {
      throw FastPathMissException.INSTANCE;
    }
    int headEnd = at;
    int data = bytes[at++];
    int dataEnd = length(end);
    if (dataEnd != end) {
      throw FastPathMissException.INSTANCE;
    }
    switch (data) {
      case GAUGE -> {
        temporality = Temporality.INSTANT;
        points(names.metric(record, resource, MetricKind.GAUGE, false, head, headEnd), end);
      }
      case SUM -> sum(resource, head, headEnd, end);
      case HISTOGRAM -> histograms(resource, MetricKind.HISTOGRAM, head, headEnd, end);
      case EXPONENTIAL_HISTOGRAM ->
          histograms(resource, MetricKind.EXPONENTIAL_HISTOGRAM, head, headEnd, end);
      case SUMMARY -> parsed(resource, head, end);
      default -> throw FastPathMissException.INSTANCE;
    }
  }

  /** Temporality and monotonicity follow the points that they are about. */
  private void sum(int resource, int head, int headEnd, int end) throws FastPathMissException {
    int points = at;
    while (at < end && bytes[at] == FIRST_MESSAGE) {
      skipMessage(end);
    }
    int pointsEnd = at;
    if (end - at < 2 || bytes[at] != TEMPORALITY) {
      throw FastPathMissException.INSTANCE;
    }
    int sentTemporality = bytes[at + 1];
    at += 2;
    boolean isMonotonic = false;
    if (end - at == 2 && bytes[at] == MONOTONIC && bytes[at + 1] == 1) {
      isMonotonic = true;
      at += 2;
    }
    if (at != end || sentTemporality < 1 || sentTemporality > 2) {
      throw FastPathMissException.INSTANCE;
    }
    temporality = sentTemporality == 2 ? Temporality.CUMULATIVE : Temporality.DELTA;
    MetricKind kind = MetricKind.ofSum(isMonotonic, temporality == Temporality.CUMULATIVE);
    // A cumulative sum that may shrink is no running total.
    boolean isCumulative = isMonotonic && temporality == Temporality.CUMULATIVE;
    at = points;
    points(names.metric(record, resource, kind, isCumulative, head, headEnd), pointsEnd);
    at = end;
  }

  private void points(int metric, int end) throws FastPathMissException {
    boolean isCumulative = names.isCumulative(metric);
    while (at < end) {
      expect(FIRST_MESSAGE);
      point(metric, isCumulative, length(end));
    }
  }

  private void point(int metric, boolean isCumulative, int end) throws FastPathMissException {
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
            throw FastPathMissException.INSTANCE;
          }
          at = length(end);
          attributesEnd = at;
        }
        case FLAGS -> {
          // One byte holds every flag that is defined.
          if (at == end || bytes[at] < 0) {
            throw FastPathMissException.INSTANCE;
          }
          flags = bytes[at++];
        }
        case EXEMPLAR -> exemplar(length(end));
        default -> throw FastPathMissException.INSTANCE;
      }
    }
    int slot = names.slot(metric, attributes, attributesEnd);
    int position = index++;
    if (PointValues.isWithoutValue(flags, isInt ? 0 : bits)) {
      batch.addWithoutValue();
      return;
    }
    // Infinite, NaN or missing; or a time that is not believed.
    if (!Double.isFinite(value) || !limits.accepts(time, receivedAt)) {
      throw FastPathMissException.INSTANCE;
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

  private void histograms(int resource, MetricKind kind, int head, int headEnd, int end)
      throws FastPathMissException {
    if (batch.sent() != null) {
      parsed(resource, head, end);
      return;
    }
    // The temporality follows the points. If these bytes are something else, the last point does
    // not end before them, and the scan ends there.
    int pointsEnd = end - 2;
    boolean isUsual = at <= pointsEnd && bytes[pointsEnd] == TEMPORALITY;
    int sentTemporality = isUsual ? bytes[pointsEnd + 1] : 0;
    if (sentTemporality < 1 || sentTemporality > 2) {
      throw FastPathMissException.INSTANCE;
    }
    boolean isCumulative = sentTemporality == 2;
    int metric = names.metric(record, resource, kind, isCumulative, head, headEnd);
    while (at < pointsEnd) {
      expect(FIRST_MESSAGE);
      int pointEnd = length(pointsEnd);
      histogram.read(bytes, at, pointEnd, kind == MetricKind.EXPONENTIAL_HISTOGRAM);
      histogramPoint(metric, isCumulative);
      at = pointEnd;
    }
    at = end;
  }

  private void histogramPoint(int metric, boolean isCumulative) throws FastPathMissException {
    int slot = names.slot(metric, histogram.attributesFrom(), histogram.attributesTo());
    int position = index++;
    if (PointValues.isWithoutValue(histogram.flags(), histogram.sumBits())) {
      batch.addWithoutValue();
      return;
    }
    long time = histogram.timeUnixNano();
    PointValues.DecodedValue figures = histogram.figures();
    if (figures.rejection() != null || !limits.accepts(time, receivedAt)) {
      throw FastPathMissException.INSTANCE;
    }
    double sum = figures.sum() + 0.0;
    if (isCumulative) {
      batch.addReading(slot, position, time, histogram.startUnixNano(), sum, figures.count());
    } else {
      batch.addObservations(
          slot, position, time, sum, figures.count(), figures.min() + 0.0, figures.max() + 0.0);
    }
    histogram.putBuckets(batch, isCumulative);
  }

  /** Exemplars are not used, but damaged ones make the batch undecodable. */
  private void exemplar(int end) throws FastPathMissException {
    int from = at;
    var unused = parse(Exemplar.parser(), from, end);
    at = end;
  }

  private void parsed(int resource, int from, int end) throws FastPathMissException {
    Metric metric = parse(Metric.parser(), from, end);
    boolean[] isRejected = new boolean[1];
    DecodedPointConsumer decoded =
        new DecodedPointConsumer() {
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
            record, receivedAt, limits, names.resourceLabels(resource), metric, index, decoded);
    if (isRejected[0]) {
      throw FastPathMissException.INSTANCE;
    }
    at = end;
  }
}
