package io.tidemark.flink.io;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.SupportsWriterState;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.sink.KafkaWriterState;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.SupportsPostCommitTopology;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * Flink's Kafka sink, state and all, with a committer that asks what became of a transaction before
 * it is called lost.
 */
final class ExactlyOnceSink<T>
    implements Sink<T>,
        SupportsWriterState<T, KafkaWriterState>,
        SupportsCommitter<KafkaCommittable>,
        SupportsPostCommitTopology<KafkaCommittable> {
  private static final long serialVersionUID = 1L;

  private final KafkaSink<T> sink;
  private final String bootstrapServers;

  ExactlyOnceSink(KafkaSink<T> sink, String bootstrapServers) {
    this.sink = sink;
    this.bootstrapServers = bootstrapServers;
  }

  @Override
  public StatefulSinkWriter<T, KafkaWriterState> createWriter(WriterInitContext context)
      throws IOException {
    NativeLz4.load();
    return sink.createWriter(new SeldomTimers(context));
  }

  @Override
  public StatefulSinkWriter<T, KafkaWriterState> restoreWriter(
      WriterInitContext context, Collection<KafkaWriterState> recovered) {
    NativeLz4.load();
    return sink.restoreWriter(new SeldomTimers(context), recovered);
  }

  @Override
  public SimpleVersionedSerializer<KafkaWriterState> getWriterStateSerializer() {
    return sink.getWriterStateSerializer();
  }

  @Override
  public Committer<KafkaCommittable> createCommitter(CommitterInitContext context) {
    return new ReconcilingCommitter(
        sink.createCommitter(context),
        new TransactionCoordinatorLookup(Map.of("bootstrap.servers", bootstrapServers)));
  }

  @Override
  public SimpleVersionedSerializer<KafkaCommittable> getCommittableSerializer() {
    return sink.getCommittableSerializer();
  }

  @Override
  public void addPostCommitTopology(DataStream<CommittableMessage<KafkaCommittable>> committed) {
    sink.addPostCommitTopology(committed);
  }
}
