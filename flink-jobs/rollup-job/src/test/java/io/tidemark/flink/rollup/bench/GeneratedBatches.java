package io.tidemark.flink.rollup.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.resource.v1.Resource;
import io.tidemark.flink.io.points.PointsHeaders;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.testing.TestBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The batches of a steady fleet: every series once a step. A batch is made from a template by
 * writing times and values into its bytes, so that generating costs little beside the job.
 */
public final class GeneratedBatches implements MapFunction<Long, PointsRecord> {
  private static final long serialVersionUID = 1L;

  public static final int POINTS_PER_BATCH = 500;
  static final long STEP_MS = 10_000;
  static final long FIRST_STEP = 1_772_323_200_000L;

  private static final int METRICS = 10;
  private static final double PLACEHOLDER = 1.2345678901234567e111;

  private final int batchesPerStep;
  private transient List<byte[]> templates;
  private transient List<int[]> valuePlaces;

  public GeneratedBatches(int series) {
    this.batchesPerStep = series / POINTS_PER_BATCH;
  }

  /** Any number with all its digits, the same in every run. */
  public static double value(long step, long point) {
    long mixed = (step * 1_000_003L + point) * 0x9E37_79B9_7F4A_7C15L;
    return (double) (mixed >>> 11) / (1L << 53) * 1000;
  }

  @Override
  public PointsRecord map(Long batch) {
    if (templates == null) {
      makeTemplates();
    }
    int place = (int) (batch % batchesPerStep);
    long step = batch / batchesPerStep;
    long time = FIRST_STEP + step * STEP_MS;
    byte[] value = templates.get(place).clone();
    ByteBuffer bytes = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    int[] places = valuePlaces.get(place);
    for (int i = 0; i < POINTS_PER_BATCH; i++) {
      bytes.putLong(places[i] - Long.BYTES - 1, time * 1_000_000L);
      bytes.putDouble(places[i], value(step, (long) place * POINTS_PER_BATCH + i));
    }
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("points", 0, batch, new byte[0], value);
    header(record, PointsHeaders.ORGANIZATION_ID, "org-demo");
    header(record, PointsHeaders.ENVIRONMENT_ID, "env-demo");
    header(record, PointsHeaders.BATCH_ID, "%064x".formatted(batch));
    header(record, PointsHeaders.RECEIVED_AT_UNIX_MS, Long.toString(time));
    return TestBatch.read(record);
  }

  private void makeTemplates() {
    templates = new ArrayList<>();
    valuePlaces = new ArrayList<>();
    for (int batch = 0; batch < batchesPerStep; batch++) {
      byte[] template = template(batch);
      int[] places = new int[POINTS_PER_BATCH];
      int found = 0;
      long wanted = Double.doubleToLongBits(PLACEHOLDER);
      ByteBuffer bytes = ByteBuffer.wrap(template).order(ByteOrder.LITTLE_ENDIAN);
      for (int at = 0; at + Long.BYTES <= template.length; at++) {
        if (bytes.getLong(at) == wanted) {
          places[found++] = at;
        }
      }
      templates.add(template);
      valuePlaces.add(places);
    }
  }

  private static byte[] template(int batch) {
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
                        .addAttributes(TestBatch.attribute("service.name", "broker-" + batch))
                        .addAttributes(TestBatch.attribute("host.name", "host-" + batch)))
                .addScopeMetrics(scope))
        .build()
        .toByteArray();
  }

  private static void header(ConsumerRecord<byte[], byte[]> record, String name, String value) {
    record.headers().add(name, value.getBytes(UTF_8));
  }
}
