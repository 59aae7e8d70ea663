package io.tidemark.flink.io;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.connector.kafka.sink.KafkaWriterState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kafka writer that logs a failure of its close instead of throwing it. Flink's writer throws a
 * send that failed a second time when it closes; a task that fails or is cancelled then ends its
 * whole TaskManager. Nothing is lost by it: what no flush confirmed, no checkpoint covers.
 */
final class SafelyClosedWriter<T>
    implements StatefulSinkWriter<T, KafkaWriterState>, CommittingSinkWriter<T, KafkaCommittable> {
  private static final Logger LOG = LoggerFactory.getLogger(SafelyClosedWriter.class);

  private final StatefulSinkWriter<T, KafkaWriterState> writer;
  private final CommittingSinkWriter<T, KafkaCommittable> committing;

  /**
   * @param writer what Flink's Kafka sink makes: it keeps state and prepares commits
   */
  @SuppressWarnings("unchecked")
  SafelyClosedWriter(StatefulSinkWriter<T, KafkaWriterState> writer) {
    this.writer = writer;
    this.committing = (CommittingSinkWriter<T, KafkaCommittable>) writer;
  }

  @Override
  public void write(T element, Context context) throws IOException, InterruptedException {
    writer.write(element, context);
  }

  @Override
  public void writeWatermark(Watermark watermark) throws IOException, InterruptedException {
    writer.writeWatermark(watermark);
  }

  @Override
  public void flush(boolean endOfInput) throws IOException, InterruptedException {
    writer.flush(endOfInput);
  }

  @Override
  public Collection<KafkaCommittable> prepareCommit() throws IOException, InterruptedException {
    return committing.prepareCommit();
  }

  @Override
  public List<KafkaWriterState> snapshotState(long checkpointId) throws IOException {
    return writer.snapshotState(checkpointId);
  }

  @Override
  public void close() {
    try {
      writer.close();
    } catch (Exception failure) {
      if (failure instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      LOG.warn(
          "A Kafka writer closed with records that were not sent; they are sent again.", failure);
    }
  }
}
