package io.tidemark.flink.io.rows;

import io.tidemark.flink.io.Brokers;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.base.source.reader.RecordEmitter;
import org.apache.flink.connector.base.source.reader.SingleThreadMultiplexSourceReaderBase;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.kafka.common.TopicPartition;

/**
 * Committed rows of rollup topics, with a watermark that says up to where they are complete. A
 * statement of the watermarks topic is true of committed rows; the watermark follows it when every
 * row that was committed before the statement was read. Kafka's own source cannot know that: the
 * end of a transactional partition is a marker that it never shows.
 */
public final class CompleteRowSource
    implements Source<RowBundle, KafkaPartitionSplit, KafkaSourceEnumState>,
        ResultTypeQueryable<RowBundle> {
  private static final long serialVersionUID = 1L;

  private final Brokers brokers;
  private final String group;
  private final String detailTopic;
  private final String statementsTopic;
  private final KafkaSource<byte[]> partitions;

  private CompleteRowSource(
      Brokers brokers,
      String group,
      String detailTopic,
      String statementsTopic,
      KafkaSource<byte[]> partitions) {
    this.brokers = brokers;
    this.group = group;
    this.detailTopic = detailTopic;
    this.statementsTopic = statementsTopic;
    this.partitions = partitions;
  }

  /**
   * @param topic of ordinary rows
   * @param detailTopic of rows of split metrics at full detail
   * @param statementsTopic says how far rows are complete
   */
  public static CompleteRowSource of(
      Brokers brokers, String topic, String detailTopic, String statementsTopic, String group) {
    return new CompleteRowSource(
        brokers,
        group,
        detailTopic,
        statementsTopic,
        KafkaSource.<byte[]>builder()
            .setBootstrapServers(brokers.bootstrapServers())
            .setProperties(brokers.properties())
            .setTopics(topic, detailTopic)
            .setGroupId(group)
            .setClientIdPrefix(group + "-rows")
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setProperty("isolation.level", "read_committed")
            // The broker answers as soon as there is a record; this is for topics that are silent.
            .setProperty("fetch.max.wait.ms", "5000")
            .setProperty("partition.discovery.interval.ms", "60000")
            .setDeserializer(RowSource.values())
            .build());
  }

  /** The watermark is what bundles say of completeness; time on the wall says nothing. */
  public static WatermarkStrategy<RowBundle> watermarks() {
    return WatermarkStrategy.forGenerator(context -> new Stated());
  }

  private static final class Stated implements WatermarkGenerator<RowBundle> {
    @Override
    public void onEvent(RowBundle bundle, long timestamp, WatermarkOutput output) {
      if (bundle.completeUntil() > 0) {
        output.emitWatermark(
            new org.apache.flink.api.common.eventtime.Watermark(bundle.completeUntil() - 1));
      }
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {
      // Only statements do.
    }
  }

  @Override
  public Boundedness getBoundedness() {
    return Boundedness.CONTINUOUS_UNBOUNDED;
  }

  @Override
  public SourceReader<RowBundle, KafkaPartitionSplit> createReader(SourceReaderContext context) {
    Properties consumer = brokers.properties();
    consumer.setProperty("group.id", group);
    consumer.setProperty("enable.auto.commit", "false");
    consumer.setProperty("isolation.level", "read_committed");
    // The broker answers as soon as there is a record; this is for topics that are silent.
    consumer.setProperty("fetch.max.wait.ms", "5000");
    return new Reader(
        () ->
            new CompleteRowReader(
                consumer, group + "-" + context.getIndexOfSubtask(), detailTopic, statementsTopic),
        context);
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> createEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return partitions.createEnumerator(context);
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restoreEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaSourceEnumState state)
      throws IOException {
    return partitions.restoreEnumerator(context, state);
  }

  @Override
  public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
    return partitions.getSplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
    return partitions.getEnumeratorCheckpointSerializer();
  }

  @Override
  public TypeInformation<RowBundle> getProducedType() {
    return TypeInformation.of(RowBundle.class);
  }

  /**
   * What was fetched of a partition.
   *
   * @param next offset to go on from
   */
  record Fetched(RowBundle bundle, long next) {}

  /** A partition and how far it was emitted. */
  private static final class Progress {
    private final TopicPartition partition;
    private long next;

    Progress(TopicPartition partition, long next) {
      this.partition = partition;
      this.next = next;
    }
  }

  private static final class Reader
      extends SingleThreadMultiplexSourceReaderBase<
          Fetched, RowBundle, KafkaPartitionSplit, Progress> {

    Reader(
        java.util.function.Supplier<
                org.apache.flink.connector.base.source.reader.splitreader.SplitReader<
                    Fetched, KafkaPartitionSplit>>
            fetcher,
        SourceReaderContext context) {
      super(fetcher, new Emitter(), context.getConfiguration(), context);
    }

    @Override
    protected void onSplitFinished(Map<String, Progress> finished) {
      throw new IllegalStateException("Partitions have no end: " + List.copyOf(finished.keySet()));
    }

    @Override
    protected Progress initializedState(KafkaPartitionSplit split) {
      return new Progress(split.getTopicPartition(), split.getStartingOffset());
    }

    @Override
    protected KafkaPartitionSplit toSplitType(String id, Progress progress) {
      return new KafkaPartitionSplit(progress.partition, progress.next);
    }
  }

  private static final class Emitter implements RecordEmitter<Fetched, RowBundle, Progress> {
    @Override
    public void emitRecord(Fetched fetched, SourceOutput<RowBundle> output, Progress progress) {
      output.collect(fetched.bundle());
      progress.next = fetched.next();
    }
  }
}
