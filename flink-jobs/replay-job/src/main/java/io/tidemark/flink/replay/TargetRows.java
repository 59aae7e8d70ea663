package io.tidemark.flink.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.model.rollup.RollupLevel;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Rows of one level into one file, a row a line, as the rollup topic would carry them. Only windows
 * that lie wholly in what is replayed: others would lack their other points. For one subtask.
 */
final class TargetRows implements Sink<byte[]> {
  private static final long serialVersionUID = 1L;
  private static final byte[] START = "{\"timestamp\":".getBytes(UTF_8);

  private final String file;
  private final long windowMs;
  private final long fromMs;
  private final long toMs;

  private TargetRows(Path file, long windowMs, long fromMs, long toMs) {
    this.file = file.toString();
    this.windowMs = windowMs;
    this.fromMs = fromMs;
    this.toMs = toMs;
  }

  /** The rows of a level. */
  static TargetRows of(Path file, RollupLevel level, ReplayConfig config) {
    return new TargetRows(
        file, level.lengthMs(), config.from().toEpochMilli(), config.to().toEpochMilli());
  }

  /** Lines of any text. */
  static TargetRows everything(Path file) {
    return new TargetRows(file, 0, 0, 0);
  }

  @Override
  public SinkWriter<byte[]> createWriter(WriterInitContext context) throws IOException {
    OutputStream out = new BufferedOutputStream(Files.newOutputStream(Path.of(file)), 1 << 16);
    return new SinkWriter<>() {
      @Override
      public void write(byte[] bundle, Context writeContext) throws IOException {
        int begin = 0;
        for (int i = 0; i <= bundle.length; i++) {
          if (i == bundle.length || bundle[i] == '\n') {
            if (windowMs == 0 || isWithin(window(bundle, begin))) {
              out.write(bundle, begin, i - begin);
              out.write('\n');
            }
            begin = i + 1;
          }
        }
      }

      @Override
      public void flush(boolean endOfInput) throws IOException {
        out.flush();
      }

      @Override
      public void close() throws IOException {
        out.close();
      }
    };
  }

  private boolean isWithin(long window) {
    return window >= fromMs && window + windowMs <= toMs;
  }

  /** Rows begin with their timestamp: the contract's golden row, and RowLines, say so. */
  static long window(byte[] row, int begin) {
    for (int i = 0; i < START.length; i++) {
      if (begin + i >= row.length || row[begin + i] != START[i]) {
        throw new IllegalStateException("A row does not begin with its timestamp");
      }
    }
    long window = 0;
    for (int i = begin + START.length; i < row.length && row[i] >= '0' && row[i] <= '9'; i++) {
      window = window * 10 + row[i] - '0';
    }
    return window;
  }
}
