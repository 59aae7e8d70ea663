package io.tidemark.flink.rollup.bench;

import io.tidemark.flink.io.points.PointsRecord;
import java.io.IOException;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka source with an end that also ends when it was restored. The connector's own does not: its
 * restored enumerator finds no new partitions, and then tells nobody that there will be none
 * (FLINK-31006). The shipped job's sources have no end.
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
    return source.createReader(context);
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
