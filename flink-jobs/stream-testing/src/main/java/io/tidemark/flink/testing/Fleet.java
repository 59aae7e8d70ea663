package io.tidemark.flink.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.resource.v1.Resource;
import io.tidemark.flink.io.points.PointsHeaders;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Headers;

/**
 * The batches of a steady fleet of gauges for benchmarks: every series once a step, {@value
 * #POINTS_PER_BATCH} points a batch. Batch {@code n} belongs to step {@code n / batchesPerStep()}.
 * A batch is made from a template by writing times and values into its bytes, so that generating
 * costs little beside the job. Not thread-safe.
 */
public final class Fleet {

  public static final int POINTS_PER_BATCH = 500;

  private static final int METRICS = 10;
  private static final double PLACEHOLDER = 1.2345678901234567e111;

  private final int series;
  private final long stepMs;
  private final long firstMs;
  private final boolean isStaggered;
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
    this.series = series;
    this.stepMs = stepMs;
    this.firstMs = firstMs;
    this.isStaggered = isStaggered;
    for (int place = 0; place < batchesPerStep(); place++) {
      byte[] template = template(place);
      templates.add(template);
      valuePlaces.add(valuePlaces(template));
    }
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
      bytes.putLong(places[i] - Long.BYTES - 1, timeUnixNano);
      bytes.putDouble(places[i], value(step, place * POINTS_PER_BATCH + i));
    }
    return request;
  }

  /** 32 bytes, different for every batch. */
  public static byte[] batchId(long batch) {
    return ByteBuffer.allocate(32).putLong(24, batch).array();
  }

  /** Adds the headers that the gateway would give the record of a batch. */
  public static void addHeaders(Headers headers, long batch, long receivedAtMs) {
    headers.add(PointsHeaders.ORGANIZATION_ID, "org-demo".getBytes(UTF_8));
    headers.add(PointsHeaders.ENVIRONMENT_ID, "env-demo".getBytes(UTF_8));
    headers.add(PointsHeaders.BATCH_ID, "%064x".formatted(batch).getBytes(UTF_8));
    headers.add(PointsHeaders.RECEIVED_AT_UNIX_MS, Long.toString(receivedAtMs).getBytes(UTF_8));
  }

  private static int[] valuePlaces(byte[] template) {
    int[] places = new int[POINTS_PER_BATCH];
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

  private static byte[] template(int place) {
    ScopeMetrics.Builder scope = ScopeMetrics.newBuilder();
    for (int metric = 0; metric < METRICS; metric++) {
      Gauge.Builder gauge = Gauge.newBuilder();
      for (int point = 0; point < POINTS_PER_BATCH / METRICS; point++) {
        gauge.addDataPoints(
            NumberDataPoint.newBuilder()
                .setTimeUnixNano(1)
                .setAsDouble(PLACEHOLDER)
                .addAttributes(TestBatch.attribute("topic", "orders-" + point))
                .addAttributes(TestBatch.attribute("partition", Integer.toString(point % 7)))
                .addAttributes(TestBatch.attribute("client_id", "consumer-" + point)));
      }
      scope.addMetrics(
          Metric.newBuilder().setName("kafka.metric." + metric).setUnit("By").setGauge(gauge));
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
}
