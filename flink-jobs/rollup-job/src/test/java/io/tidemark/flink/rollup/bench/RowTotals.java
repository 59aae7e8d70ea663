package io.tidemark.flink.rollup.bench;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Counts bytes; rows and their figures only when asked, because reading costs as much as writing.
 */
final class RowTotals implements Sink<byte[]> {
  private static final long serialVersionUID = 1L;

  private static final Map<Long, RowTotals.Totals> ALL = new ConcurrentHashMap<>();
  private static final AtomicLong IDS = new AtomicLong();

  static final class Totals {
    final LongAdder rows = new LongAdder();
    final LongAdder bytes = new LongAdder();
    final LongAdder counts = new LongAdder();
    final DoubleAdder sums = new DoubleAdder();
  }

  private final long id = IDS.incrementAndGet();
  private final boolean addsUp;

  RowTotals(boolean addsUp) {
    this.addsUp = addsUp;
    ALL.put(id, new Totals());
  }

  Totals totals() {
    return ALL.get(id);
  }

  @Override
  public SinkWriter<byte[]> createWriter(WriterInitContext context) {
    Totals totals = ALL.get(id);
    return new SinkWriter<>() {
      @Override
      public void write(byte[] bundle, Context writeContext) {
        totals.bytes.add(bundle.length);
        if (addsUp) {
          for (String row : new String(bundle, StandardCharsets.UTF_8).split("\n")) {
            totals.rows.increment();
            totals.counts.add((long) figure(row, "\"count\":"));
            totals.sums.add(figure(row, "\"sum\":"));
          }
        }
      }

      @Override
      public void flush(boolean endOfInput) {}

      @Override
      public void close() {}
    };
  }

  private static double figure(String row, String name) {
    int from = row.indexOf(name) + name.length();
    return Double.parseDouble(row.substring(from, row.indexOf(',', from)));
  }
}
