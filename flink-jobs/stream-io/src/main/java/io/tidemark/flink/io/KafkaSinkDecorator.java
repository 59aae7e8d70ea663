package io.tidemark.flink.io;

import java.io.IOException;
import java.util.Collection;
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
 * Flink's Kafka sink, state and all, with seldom timers, native LZ4, and writers that never fail
 * when they close.
 */
public class KafkaSinkDecorator<T>
    implements Sink<T>,
        SupportsWriterState<T, KafkaWriterState>,
        SupportsCommitter<KafkaCommittable>,
        SupportsPostCommitTopology<KafkaCommittable> {
  private static final long serialVersionUID = 1L;

  private final KafkaSink<T> sink;

  public KafkaSinkDecorator(KafkaSink<T> sink) {
    this.sink = sink;
  }

  @Override
  public final StatefulSinkWriter<T, KafkaWriterState> createWriter(WriterInitContext context)
      throws IOException {
    NativeLz4.load();
    return new SafelyClosedWriter<>(sink.createWriter(new SeldomTimers(context)));
  }

  @Override
  public final StatefulSinkWriter<T, KafkaWriterState> restoreWriter(
      WriterInitContext context, Collection<KafkaWriterState> recovered) throws IOException {
    NativeLz4.load();
    return new SafelyClosedWriter<>(sink.restoreWriter(new SeldomTimers(context), recovered));
  }

  @Override
  public final SimpleVersionedSerializer<KafkaWriterState> getWriterStateSerializer() {
    return sink.getWriterStateSerializer();
  }

  @Override
  public Committer<KafkaCommittable> createCommitter(CommitterInitContext context) {
    return sink.createCommitter(context);
  }

  @Override
  public final SimpleVersionedSerializer<KafkaCommittable> getCommittableSerializer() {
    return sink.getCommittableSerializer();
  }

  @Override
  public final void addPostCommitTopology(
      DataStream<CommittableMessage<KafkaCommittable>> committed) {
    sink.addPostCommitTopology(committed);
  }
}
