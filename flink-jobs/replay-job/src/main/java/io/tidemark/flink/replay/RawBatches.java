package io.tidemark.flink.replay;

import io.tidemark.flink.io.points.PointsRecord;
import java.time.Instant;
import java.util.List;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;

/**
 * The lake's points as records of the points topic: the same positions, receipts and batch ids, the
 * points of the request that the window holds. One element in, everything out, in the order of
 * receipt.
 */
final class RawBatches implements FlatMapFunction<Long, PointsRecord> {
  private static final long serialVersionUID = 1L;
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final List<String> files;
  private final String tenant;
  private final Instant from;
  private final Instant to;
  private final String overflow;
  private final String topic;

  RawBatches(
      List<String> files, String tenant, Instant from, Instant to, String overflow, String topic) {
    this.files = List.copyOf(files);
    this.tenant = tenant;
    this.from = from;
    this.to = to;
    this.overflow = overflow;
    this.topic = topic;
  }

  @Override
  public void flatMap(Long begin, Collector<PointsRecord> out) throws Exception {
    RawPoints.read(
        files,
        tenant,
        from,
        to,
        java.nio.file.Path.of(overflow),
        batch -> out.collect(record(batch)));
  }

  private PointsRecord record(List<RawPoint> batch) {
    RawPoint first = batch.get(0);
    long latest = batch.stream().mapToLong(RawPoint::timeUnixNano).max().orElseThrow();
    return new PointsRecord(
        topic,
        first.partition(),
        first.offset(),
        tenant,
        first.environmentId(),
        first.batchId(),
        Long.toString(first.receivedAtUnixMs()),
        Math.min(latest / NANOS_PER_MILLI, first.receivedAtUnixMs()),
        ReconstructedRequest.of(batch).toByteArray());
  }
}
