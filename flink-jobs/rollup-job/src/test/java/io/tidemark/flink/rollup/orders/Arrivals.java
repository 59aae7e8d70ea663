package io.tidemark.flink.rollup.orders;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.resource.v1.Resource;
import io.tidemark.flink.io.points.PointsHeaders;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.testing.TestBatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What a seed makes arrive: batches in the order of their receipt, some of them twice. A batch and
 * its resends are in one partition, as the gateway's key makes it.
 *
 * @param batches in the order of their receipt
 * @param partitions of the points topic
 */
record Arrivals(List<Batch> batches, int partitions) {

  /**
   * One receipt of a batch.
   *
   * @param id 64 hexadecimal digits; the same for a resend
   */
  record Batch(
      String organization, String resource, String id, long receivedMs, List<SentPoint> points) {

    byte[] bytes() {
      ScopeMetrics.Builder scope = ScopeMetrics.newBuilder();
      points.forEach(point -> scope.addMetrics(point.otlp()));
      return ExportMetricsServiceRequest.newBuilder()
          .addResourceMetrics(
              ResourceMetrics.newBuilder()
                  .setResource(
                      Resource.newBuilder()
                          .addAttributes(TestBatch.attribute("service.name", resource)))
                  .addScopeMetrics(scope))
          .build()
          .toByteArray();
    }

    int partition(int partitions) {
      return Math.floorMod(id.hashCode(), partitions);
    }
  }

  static Arrivals of(long seed) {
    World world = new World(seed);
    List<Batch> batches = new ArrayList<>(world.batches());
    batches.sort(Comparator.comparingLong(Batch::receivedMs));
    return new Arrivals(batches, world.partitions());
  }

  /** The records of one partition, in the order of their offsets. */
  List<PointsRecord> records(int partition) {
    List<PointsRecord> records = new ArrayList<>();
    for (Batch batch : batches) {
      if (batch.partition(partitions) == partition) {
        records.add(record(batch, partition, records.size()));
      }
    }
    return records;
  }

  private static PointsRecord record(Batch batch, int partition, long offset) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("points", partition, offset, new byte[0], batch.bytes());
    header(record, PointsHeaders.ORGANIZATION_ID, batch.organization());
    header(record, PointsHeaders.ENVIRONMENT_ID, "env-a");
    header(record, PointsHeaders.BATCH_ID, batch.id());
    header(record, PointsHeaders.RECEIVED_AT_UNIX_MS, Long.toString(batch.receivedMs()));
    return TestBatch.read(record);
  }

  private static void header(ConsumerRecord<byte[], byte[]> record, String name, String value) {
    record.headers().add(name, value.getBytes(UTF_8));
  }
}
