package io.tidemark.flink.rollup;

import io.tidemark.contracts.pipeline.v1.Progress;
import io.tidemark.flink.testing.CommittedSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Records of the watermarks topic at the moment they become visible, and which rows were visible
 * then.
 */
final class ObservedStatements implements Sink<byte[]>, SupportsCommitter<byte[]> {
  private static final long serialVersionUID = 1L;

  private static final Map<Integer, Queue<Observed>> OBSERVED = new ConcurrentHashMap<>();
  private static final AtomicInteger SINKS = new AtomicInteger();

  private final int id = SINKS.incrementAndGet();
  private final List<CommittedSink> levels;

  ObservedStatements(CommittedSink... levels) {
    this.levels = new ArrayList<>(List.of(levels));
    OBSERVED.put(id, new ConcurrentLinkedQueue<>());
  }

  /** A record, and by level the bundles of rows committed at that moment. */
  record Observed(Progress progress, List<List<byte[]>> bundles) {}

  List<Observed> observed() {
    return List.copyOf(OBSERVED.get(id));
  }

  @Override
  public CommittingSinkWriter<byte[], byte[]> createWriter(WriterInitContext context) {
    return new CommittingSinkWriter<>() {
      private final List<byte[]> open = new ArrayList<>();

      @Override
      public void write(byte[] record, Context writeContext) {
        open.add(record);
      }

      @Override
      public void flush(boolean endOfInput) {}

      @Override
      public Collection<byte[]> prepareCommit() {
        List<byte[]> records = List.copyOf(open);
        open.clear();
        return records;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public Committer<byte[]> createCommitter(CommitterInitContext context) {
    Queue<Observed> observed = OBSERVED.get(id);
    return new Committer<>() {
      @Override
      public void commit(Collection<CommitRequest<byte[]>> requests) {
        List<List<byte[]>> bundles = levels.stream().map(CommittedSink::committed).toList();
        for (CommitRequest<byte[]> request : requests) {
          try {
            observed.add(new Observed(Progress.parseFrom(request.getCommittable()), bundles));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public SimpleVersionedSerializer<byte[]> getCommittableSerializer() {
    return new SimpleVersionedSerializer<>() {
      @Override
      public int getVersion() {
        return 1;
      }

      @Override
      public byte[] serialize(byte[] record) {
        return record;
      }

      @Override
      public byte[] deserialize(int version, byte[] bytes) {
        return bytes;
      }
    };
  }
}
