package io.tidemark.flink.rollup;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
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
 * Keeps rows once the checkpoint that covers them is complete, as a reader of committed Kafka
 * records would see them. A transaction that is committed again after a failure counts once.
 */
final class CommittedRows implements Sink<byte[]>, SupportsCommitter<String> {
  private static final long serialVersionUID = 1L;

  private static final Map<Integer, Map<String, String>> COMMITTED = new ConcurrentHashMap<>();
  private static final AtomicInteger SINKS = new AtomicInteger();
  private static final AtomicLong TRANSACTIONS = new AtomicLong();

  private final int id = SINKS.incrementAndGet();

  CommittedRows() {
    COMMITTED.put(id, new ConcurrentHashMap<>());
  }

  /** Pane id, count and sum of one row. */
  record Row(String paneId, long count, double sum) {}

  List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (String transaction : COMMITTED.get(id).values()) {
      for (String line : transaction.split("\n")) {
        String[] members = line.split(" ");
        rows.add(new Row(members[0], Long.parseLong(members[1]), Double.parseDouble(members[2])));
      }
    }
    return rows;
  }

  /** Text or number of a member; rows of tests have no commas in texts. */
  private static String member(String row, String name) {
    int from = row.indexOf("\"" + name + "\":") + name.length() + 3;
    int comma = row.indexOf(',', from);
    return row.substring(from, comma < 0 ? row.length() - 1 : comma).replace("\"", "");
  }

  @Override
  public CommittingSinkWriter<byte[], String> createWriter(WriterInitContext context) {
    return new CommittingSinkWriter<>() {
      private final StringBuilder open = new StringBuilder();

      @Override
      public void write(byte[] bundle, Context writeContext) {
        for (String row : new String(bundle, StandardCharsets.UTF_8).split("\n")) {
          open.append(member(row, "pane_id")).append(' ').append(member(row, "count"));
          open.append(' ').append(member(row, "sum")).append('\n');
        }
      }

      @Override
      public void flush(boolean endOfInput) {}

      @Override
      public Collection<String> prepareCommit() {
        if (open.isEmpty()) {
          return List.of();
        }
        String transaction = TRANSACTIONS.incrementAndGet() + " " + open;
        open.setLength(0);
        return List.of(transaction);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public Committer<String> createCommitter(CommitterInitContext context) {
    Map<String, String> committed = COMMITTED.get(id);
    return new Committer<>() {
      @Override
      public void commit(Collection<CommitRequest<String>> requests) {
        for (CommitRequest<String> request : requests) {
          String[] transaction = request.getCommittable().split(" ", 2);
          committed.put(transaction[0], transaction[1]);
        }
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public SimpleVersionedSerializer<String> getCommittableSerializer() {
    return new SimpleVersionedSerializer<>() {
      @Override
      public int getVersion() {
        return 1;
      }

      @Override
      public byte[] serialize(String transaction) {
        return transaction.getBytes(StandardCharsets.UTF_8);
      }

      @Override
      public String deserialize(int version, byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
      }
    };
  }
}
