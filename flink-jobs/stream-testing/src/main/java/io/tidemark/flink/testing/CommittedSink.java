package io.tidemark.flink.testing;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Keeps record values once the checkpoint that covers them is complete, as a reader of committed
 * Kafka records would see them. A transaction that is committed again after a failure counts once.
 */
public final class CommittedSink implements Sink<byte[]>, SupportsCommitter<CommittedSink.Written> {
  private static final long serialVersionUID = 1L;

  private static final Map<Integer, Map<Long, List<byte[]>>> COMMITTED = new ConcurrentHashMap<>();
  private static final AtomicInteger SINKS = new AtomicInteger();
  private static final AtomicLong TRANSACTIONS = new AtomicLong();

  private final int id = SINKS.incrementAndGet();

  public CommittedSink() {
    COMMITTED.put(id, new ConcurrentHashMap<>());
  }

  /** What was written between two checkpoints. */
  public record Written(long transaction, List<byte[]> values) {}

  /** Every committed value, each once. */
  public List<byte[]> committed() {
    List<byte[]> values = new ArrayList<>();
    Objects.requireNonNull(COMMITTED.get(id)).values().forEach(values::addAll);
    return values;
  }

  @Override
  public CommittingSinkWriter<byte[], Written> createWriter(WriterInitContext context) {
    return new CommittingSinkWriter<>() {
      private List<byte[]> open = new ArrayList<>();

      @Override
      public void write(byte[] value, Context writeContext) {
        open.add(value);
      }

      @Override
      public void flush(boolean endOfInput) {}

      @Override
      public Collection<Written> prepareCommit() {
        if (open.isEmpty()) {
          return List.of();
        }
        Written written = new Written(TRANSACTIONS.incrementAndGet(), open);
        open = new ArrayList<>();
        return List.of(written);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public Committer<Written> createCommitter(CommitterInitContext context) {
    Map<Long, List<byte[]>> committed = Objects.requireNonNull(COMMITTED.get(id));
    return new Committer<>() {
      @Override
      public void commit(Collection<CommitRequest<Written>> requests) {
        for (CommitRequest<Written> request : requests) {
          Written written = request.getCommittable();
          committed.put(written.transaction(), written.values());
        }
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public SimpleVersionedSerializer<Written> getCommittableSerializer() {
    return new SimpleVersionedSerializer<>() {
      @Override
      public int getVersion() {
        return 1;
      }

      @Override
      public byte[] serialize(Written written) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(written.transaction());
        out.writeInt(written.values().size());
        for (byte[] value : written.values()) {
          out.writeInt(value.length);
          out.write(value);
        }
        return bytes.toByteArray();
      }

      @Override
      public Written deserialize(int version, byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        long transaction = in.readLong();
        int count = in.readInt();
        List<byte[]> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
          values.add(in.readNBytes(in.readInt()));
        }
        return new Written(transaction, values);
      }
    };
  }
}
