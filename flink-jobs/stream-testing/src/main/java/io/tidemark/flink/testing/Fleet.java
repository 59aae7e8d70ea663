package io.tidemark.flink.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.resource.v1.Resource;
import io.tidemark.flink.io.points.PointsHeaders;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.common.header.Headers;

/**
 * The batches of a steady fleet, of gauges by default, for benchmarks: every series once a step,
 * {@value #POINTS_PER_BATCH} points a batch. Batch {@code n} belongs to step {@code n /
 * batchesPerStep()}. A batch is made from a template by writing times and values into its bytes, so
 * that generating costs little beside the job. Not thread-safe.
 */
public final class Fleet {

  public static final int POINTS_PER_BATCH = 500;

  /** The tenant that batches belong to. */
  public static final String ORGANIZATION = "org-demo";

  public static final String ENVIRONMENT = "env-demo";

  /** What a point is. Its figures are the same: one observation of the value. */
  public enum Form {
    GAUGE(false, false),
    HISTOGRAM_WITHOUT_BUCKETS(false, false),
    /** With the bounds that OpenTelemetry SDKs take by default. */
    HISTOGRAM(false, true),
    EXPONENTIAL_HISTOGRAM_WITHOUT_BUCKETS(true, false),
    /** Of the scale that OpenTelemetry SDKs begin with. */
    EXPONENTIAL_HISTOGRAM(true, true);

    private final boolean isExponential;
    private final boolean hasBuckets;

    Form(boolean isExponential, boolean hasBuckets) {
      this.isExponential = isExponential;
      this.hasBuckets = hasBuckets;
    }

    /** Whether every point has a distribution. */
    public boolean hasBuckets() {
      return hasBuckets;
    }
  }

  private static final List<Double> BOUNDS =
      List.of(
          0.0, 5.0, 10.0, 25.0, 50.0, 75.0, 100.0, 250.0, 500.0, 750.0, 1000.0, 2500.0, 5000.0,
          7500.0, 10000.0);

  /** Time, count and sum of a histogram point follow each other, a byte before each. */
  private static final int TIME_TO_SUM = 2 * (Long.BYTES + 1);

  /** Bucket counts follow the sum: a tag and two bytes of length before them. */
  private static final int SUM_TO_COUNTS = Long.BYTES + 3;

  private static final int SCALE = 20;

  /** After the sum: the scale, the length of the positive side, and a tag. */
  private static final int SUM_TO_OFFSET = Long.BYTES + 5;

  /** Takes as many bytes as any offset that is written over it. */
  private static final int OFFSET_PLACEHOLDER = 100_000_000;

  private static final int OFFSET_BYTES = 4;
  private static final double SMALLEST = 0x1p-100;

  private static final AggregationTemporality DELTA =
      AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA;

  private static final int METRICS = 10;
  private static final double PLACEHOLDER = 1.2345678901234567e111;

  private final int series;
  private final long stepMs;
  private final long firstMs;
  private final boolean isStaggered;
  private final Form form;
  private final List<byte[]> templates = new ArrayList<>();
  private final List<int[]> valuePlaces = new ArrayList<>();

  /**
   * @param series a multiple of {@value #POINTS_PER_BATCH}
   * @param stepMs scrape interval, milliseconds
   * @param firstMs time of the first step, milliseconds since the Unix epoch
   * @param isStaggered whether the batches of a step are spread over it, as with many agents;
   *     otherwise all have the time of the step
   */
  public Fleet(int series, long stepMs, long firstMs, boolean isStaggered) {
    this(series, stepMs, firstMs, isStaggered, Form.GAUGE);
  }

  public Fleet(int series, long stepMs, long firstMs, boolean isStaggered, Form form) {
    this.form = form;
    this.series = series;
    this.stepMs = stepMs;
    this.firstMs = firstMs;
    this.isStaggered = isStaggered;
    for (int place = 0; place < batchesPerStep(); place++) {
      byte[] template = template(place, form);
      templates.add(template);
      valuePlaces.add(valuePlaces(template, form));
    }
  }

  public Form form() {
    return form;
  }

  public int series() {
    return series;
  }

  public int batchesPerStep() {
    return series / POINTS_PER_BATCH;
  }

  public long stepMs() {
    return stepMs;
  }

  /** Point time of series {@code number} in a step, milliseconds since the Unix epoch. */
  public long timeMs(long step, int number) {
    int place = number / POINTS_PER_BATCH;
    return firstMs + step * stepMs + (isStaggered ? place * stepMs / batchesPerStep() : 0);
  }

  /** Time of all points of a batch. */
  public long timeMs(long batch) {
    return timeMs(batch / batchesPerStep(), (int) (batch % batchesPerStep()) * POINTS_PER_BATCH);
  }

  /** Value of series {@code number}: any number with all its digits, the same in every run. */
  public static double value(long step, int number) {
    long mixed = (step * 1_000_003L + number) * 0x9E37_79B9_7F4A_7C15L;
    return (double) (mixed >>> 11) / (1L << 53) * 1000;
  }

  /** An OTLP metrics request. */
  public byte[] bytes(long batch) {
    int place = (int) (batch % batchesPerStep());
    long step = batch / batchesPerStep();
    long timeUnixNano = timeMs(batch) * 1_000_000L;
    byte[] request = templates.get(place).clone();
    ByteBuffer bytes = ByteBuffer.wrap(request).order(ByteOrder.LITTLE_ENDIAN);
    int[] places = valuePlaces.get(place);
    for (int i = 0; i < POINTS_PER_BATCH; i++) {
      double value = value(step, place * POINTS_PER_BATCH + i);
      if (form == Form.GAUGE) {
        bytes.putLong(places[i] - Long.BYTES - 1, timeUnixNano);
        bytes.putDouble(places[i], value);
      } else {
        putObservation(bytes, places, 3 * i, timeUnixNano, value);
      }
    }
    return request;
  }

  /** The value as sum, min and max, and in its bucket. */
  private void putObservation(
      ByteBuffer bytes, int[] places, int first, long timeUnixNano, double value) {
    bytes.putLong(places[first] - TIME_TO_SUM, timeUnixNano);
    for (int i = first; i < first + 3; i++) {
      bytes.putDouble(places[i], value);
    }
    if (form == Form.HISTOGRAM) {
      int bucket = 0;
      while (bucket < BOUNDS.size() && value > BOUNDS.get(bucket)) {
        bucket++;
      }
      bytes.putLong(places[first] + SUM_TO_COUNTS + bucket * Long.BYTES, 1);
    } else if (form == Form.EXPONENTIAL_HISTOGRAM) {
      putOffset(bytes, places[first] + SUM_TO_OFFSET, value);
    }
  }

  /** The number of the value's bucket, as a sint32 of as many bytes as the placeholder. */
  private static void putOffset(ByteBuffer bytes, int at, double value) {
    double octaves = Math.log(Math.max(value, SMALLEST)) / Math.log(2);
    int index = (int) Math.ceil(octaves * (1 << SCALE)) - 1;
    int bits = (index << 1) ^ (index >> 31);
    for (int i = 0; i < OFFSET_BYTES; i++) {
      boolean isLast = i == OFFSET_BYTES - 1;
      bytes.put(at + i, (byte) (bits & 0x7f | (isLast ? 0 : 0x80)));
      bits >>>= 7;
    }
  }

  /** 32 bytes, different for every batch. */
  public static byte[] batchId(long batch) {
    return ByteBuffer.allocate(32).putLong(24, batch).array();
  }

  /** Adds the headers that the gateway would give the record of a batch. */
  public static void addHeaders(Headers headers, long batch, long receivedAtMs) {
    headers.add(PointsHeaders.ORGANIZATION_ID, ORGANIZATION.getBytes(UTF_8));
    headers.add(PointsHeaders.ENVIRONMENT_ID, ENVIRONMENT.getBytes(UTF_8));
    headers.add(PointsHeaders.BATCH_ID, "%064x".formatted(batch).getBytes(UTF_8));
    headers.add(PointsHeaders.RECEIVED_AT_UNIX_MS, Long.toString(receivedAtMs).getBytes(UTF_8));
  }

  private static int[] valuePlaces(byte[] template, Form form) {
    int[] places = new int[form == Form.GAUGE ? POINTS_PER_BATCH : 3 * POINTS_PER_BATCH];
    int found = 0;
    long wanted = Double.doubleToLongBits(PLACEHOLDER);
    ByteBuffer bytes = ByteBuffer.wrap(template).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at + Long.BYTES <= template.length; at++) {
      if (bytes.getLong(at) == wanted) {
        places[found++] = at;
      }
    }
    return places;
  }

  private static byte[] template(int place, Form form) {
    ScopeMetrics.Builder scope = ScopeMetrics.newBuilder();
    for (int metric = 0; metric < METRICS; metric++) {
      Metric.Builder named = Metric.newBuilder().setName("kafka.metric." + metric).setUnit("By");
      Gauge.Builder gauge = Gauge.newBuilder();
      Histogram.Builder histogram = Histogram.newBuilder().setAggregationTemporality(DELTA);
      ExponentialHistogram.Builder exponential =
          ExponentialHistogram.newBuilder().setAggregationTemporality(DELTA);
      for (int point = 0; point < POINTS_PER_BATCH / METRICS; point++) {
        List<KeyValue> labels =
            List.of(
                TestBatch.attribute("topic", "orders-" + point).build(),
                TestBatch.attribute("partition", Integer.toString(point % 7)).build(),
                TestBatch.attribute("client_id", "consumer-" + point).build());
        if (form == Form.GAUGE) {
          gauge.addDataPoints(
              NumberDataPoint.newBuilder()
                  .setTimeUnixNano(1)
                  .setAsDouble(PLACEHOLDER)
                  .addAllAttributes(labels));
        } else if (form.isExponential) {
          exponential.addDataPoints(exponential(form).addAllAttributes(labels));
        } else {
          histogram.addDataPoints(observation(form).addAllAttributes(labels));
        }
      }
      if (form == Form.GAUGE) {
        named.setGauge(gauge);
      } else if (form.isExponential) {
        named.setExponentialHistogram(exponential);
      } else {
        named.setHistogram(histogram);
      }
      scope.addMetrics(named);
    }
    return ExportMetricsServiceRequest.newBuilder()
        .addResourceMetrics(
            ResourceMetrics.newBuilder()
                .setResource(
                    Resource.newBuilder()
                        .addAttributes(TestBatch.attribute("service.name", "broker-" + place))
                        .addAttributes(TestBatch.attribute("host.name", "host-" + place)))
                .addScopeMetrics(scope))
        .build()
        .toByteArray();
  }

  private static HistogramDataPoint.Builder observation(Form form) {
    HistogramDataPoint.Builder point =
        HistogramDataPoint.newBuilder()
            .setTimeUnixNano(1)
            .setCount(1)
            .setSum(PLACEHOLDER)
            .setMin(PLACEHOLDER)
            .setMax(PLACEHOLDER);
    if (form.hasBuckets) {
      point.addAllExplicitBounds(BOUNDS).addAllBucketCounts(Collections.nCopies(16, 0L));
    }
    return point;
  }

  private static ExponentialHistogramDataPoint.Builder exponential(Form form) {
    ExponentialHistogramDataPoint.Builder point =
        ExponentialHistogramDataPoint.newBuilder()
            .setTimeUnixNano(1)
            .setCount(1)
            .setSum(PLACEHOLDER)
            .setMin(PLACEHOLDER)
            .setMax(PLACEHOLDER);
    if (form.hasBuckets) {
      point.setScale(SCALE);
      point.getPositiveBuilder().setOffset(OFFSET_PLACEHOLDER).addBucketCounts(1);
    }
    return point;
  }
}
