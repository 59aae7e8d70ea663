package io.tidemark.platform.replay.kafka;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.tidemark.contracts.deadletter.replay.ReplayCandidate;
import io.tidemark.contracts.deadletter.v1.DeadLetter;
import io.tidemark.contracts.deadletter.v1.Reason;
import io.tidemark.platform.replay.OffsetRange;
import io.tidemark.platform.replay.ReplayRunner.ReplayFencedException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** One partition of letters, and notes, in memory; transactions of two batches. */
public final class TestingReplayLog implements ReplayLog {

  public final List<DeadLetter> letters = new ArrayList<>();
  public final Map<String, String> notes = new LinkedHashMap<>();
  public final List<ReplayCandidate.Batch> sent = new ArrayList<>();

  /** Is run before each batch is written. */
  public Runnable beforeWrite = () -> {};

  private int owner;

  public static DeadLetter late(
      String organization, String environment, long offset, Instant received) {
    byte[] original =
        ExportMetricsServiceRequest.newBuilder()
            .addResourceMetrics(
                ResourceMetrics.newBuilder()
                    .addScopeMetrics(
                        ScopeMetrics.newBuilder()
                            .addMetrics(
                                Metric.newBuilder()
                                    .setName("late")
                                    .setGauge(
                                        Gauge.newBuilder()
                                            .addDataPoints(
                                                NumberDataPoint.newBuilder().setAsInt(offset))))))
            .build()
            .toByteArray();
    return DeadLetter.newBuilder()
        .setReason(Reason.REASON_TOO_LATE)
        .setStage("normalise")
        .setOrganizationId(organization)
        .setEnvironmentId(environment)
        .setBatchId("ab".repeat(32))
        .setSourceTopic("telemetry.points.v1")
        .setSourceOffset(offset)
        .setReceivedAtUnixMs(received.toEpochMilli())
        .setOriginal(ByteString.copyFrom(original))
        .setOriginalSize(original.length)
        .setPointCount(1)
        .build();
  }

  @Override
  public List<OffsetRange> letters(Instant writtenFrom) {
    return List.of(new OffsetRange(0, 0, letters.size()));
  }

  @Override
  public void read(List<OffsetRange> ranges, Consumer<DeadLetter> each, Consumer<Long> read) {
    for (OffsetRange range : ranges) {
      for (DeadLetter letter :
          List.copyOf(letters).subList((int) range.begin(), (int) range.end())) {
        each.accept(letter);
        read.accept(1L);
      }
    }
  }

  @Override
  public void notes(BiConsumer<String, String> each) {
    notes.forEach(each);
  }

  @Override
  public Writer open() {
    int mine = ++owner;
    return new Writer() {
      private final Map<String, String> ids = new LinkedHashMap<>();
      private final List<ReplayCandidate.Batch> batches = new ArrayList<>();

      @Override
      public void write(ReplayCandidate.Batch batch, String replay) {
        beforeWrite.run();
        batches.add(batch);
        ids.put(batch.batchId(), replay);
        if (batches.size() == 2) {
          commit();
        }
      }

      @Override
      public void commit() {
        if (mine != owner) {
          throw new ReplayFencedException(null);
        }
        notes.putAll(ids);
        sent.addAll(batches);
        ids.clear();
        batches.clear();
      }

      @Override
      public void close() {}
    };
  }
}
