package io.tidemark.flink.rollup.bench;

import io.tidemark.flink.io.points.PointsRecord;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka source with an end, which the shipped job's sources have not. It makes up for two faults:
 * restored, the connector's enumerator finds no new partitions and tells nobody that there will be
 * none, so that the source does not end (FLINK-31006); and when a source is idle at its end, Flink
 * drops the last watermark, and what is open is never written (FLINK-40499).
 */
final class EndingSource
    implements Source<PointsRecord, KafkaPartitionSplit, KafkaSourceEnumState>,
        ResultTypeQueryable<PointsRecord> {
  private static final long serialVersionUID = 1L;

  private final KafkaSource<PointsRecord> source;

  EndingSource(KafkaSource<PointsRecord> source) {
    this.source = source;
  }

  @Override
  public Boundedness getBoundedness() {
    return source.getBoundedness();
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> createEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return source.createEnumerator(context);
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restoreEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaSourceEnumState checkpoint)
      throws IOException {
    return new Restored(source.restoreEnumerator(context, checkpoint), context);
  }

  @Override
  public SourceReader<PointsRecord, KafkaPartitionSplit> createReader(SourceReaderContext context)
      throws Exception {
    return new Reader(source.createReader(context));
  }

  @Override
  public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
    return source.getSplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
    return source.getEnumeratorCheckpointSerializer();
  }

  @Override
  public TypeInformation<PointsRecord> getProducedType() {
    return source.getProducedType();
  }

  /** Is heard of once more before it ends. */
  private record Reader(SourceReader<PointsRecord, KafkaPartitionSplit> reader)
      implements SourceReader<PointsRecord, KafkaPartitionSplit> {

    @Override
    public void start() {
      reader.start();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<PointsRecord> output) throws Exception {
      InputStatus status = reader.pollNext(output);
      if (status == InputStatus.END_OF_INPUT) {
        output.markActive();
      }
      return status;
    }

    @Override
    public List<KafkaPartitionSplit> snapshotState(long checkpoint) {
      return reader.snapshotState(checkpoint);
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
      return reader.isAvailable();
    }

    @Override
    public void addSplits(List<KafkaPartitionSplit> splits) {
      reader.addSplits(splits);
    }

    @Override
    public void notifyNoMoreSplits() {
      reader.notifyNoMoreSplits();
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
      reader.handleSourceEvents(event);
    }

    @Override
    public void pauseOrResumeSplits(Collection<String> paused, Collection<String> resumed) {
      reader.pauseOrResumeSplits(paused, resumed);
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) throws Exception {
      reader.notifyCheckpointComplete(checkpoint);
    }

    @Override
    public void notifyCheckpointAborted(long checkpoint) throws Exception {
      reader.notifyCheckpointAborted(checkpoint);
    }

    @Override
    public void close() throws Exception {
      reader.close();
    }
  }

  /** All partitions were given out before the checkpoint: nothing was taken from it earlier. */
  private record Restored(
      SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> enumerator,
      SplitEnumeratorContext<KafkaPartitionSplit> context)
      implements SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> {

    @Override
    public void start() {
      enumerator.start();
    }

    @Override
    public void handleSplitRequest(int subtask, @Nullable String host) {
      enumerator.handleSplitRequest(subtask, host);
    }

    @Override
    public void addSplitsBack(List<KafkaPartitionSplit> splits, int subtask) {
      enumerator.addSplitsBack(splits, subtask);
    }

    @Override
    public void addReader(int subtask) {
      enumerator.addReader(subtask);
      context.signalNoMoreSplits(subtask);
    }

    @Override
    public KafkaSourceEnumState snapshotState(long checkpoint) throws Exception {
      return enumerator.snapshotState(checkpoint);
    }

    @Override
    public void close() throws IOException {
      enumerator.close();
    }
  }
}
