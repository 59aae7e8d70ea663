package io.tidemark.flink.io.points.source;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/**
 * Finds the latest point time of an OTLP metrics request without building it: only lengths and the
 * first field {@code time_unix_nano} of each point are read. The watermark needs it per Kafka
 * partition, before the batches of the partitions are mixed. A point that has the field twice
 * counts at the last of them and may be early or late for it.
 */
final class LatestPointTime {

  private static final int RESOURCE_METRICS = 1;
  private static final int SCOPE_METRICS = 2;
  private static final int METRICS = 2;
  private static final int DATA_POINTS = 1;
  // The same number in number, histogram, exponential histogram and summary points.
  private static final int TIME_UNIX_NANO = 3;

  private LatestPointTime() {}

  /** Nanoseconds since the Unix epoch; 0 when there is no point or the bytes are damaged. */
  static long of(byte[] request) {
    long plain = FastPointTimeScanner.latest(request);
    return plain == FastPointTimeScanner.UNKNOWN ? ofAnyForm(request) : Math.max(plain, 0);
  }

  /** The same for bytes of every form. */
  static long ofAnyForm(byte[] request) {
    Scan scan = new Scan(CodedInputStream.newInstance(request));
    try {
      scan.messages(RESOURCE_METRICS, scan::resourceMetrics);
    } catch (IOException e) {
      // The decoder meets the same bytes and writes the dead letter; times found so far still
      // count.
    }
    return scan.latest;
  }

  /** Reads one level of the message. */
  private interface Level {
    void read() throws IOException;
  }

  private static final class Scan {
    private final CodedInputStream in;
    private long latest;

    Scan(CodedInputStream in) {
      this.in = in;
    }

    void resourceMetrics() throws IOException {
      messages(SCOPE_METRICS, this::scopeMetrics);
    }

    void scopeMetrics() throws IOException {
      messages(METRICS, this::metric);
    }

    /** Gauge 5, sum 7, histogram 9, exponential histogram 10, summary 11. */
    void metric() throws IOException {
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        int field = WireFormat.getTagFieldNumber(tag);
        boolean isData = field == 5 || field == 7 || (field >= 9 && field <= 11);
        if (isData && isMessage(tag)) {
          nested(() -> messages(DATA_POINTS, this::dataPoint));
        } else {
          in.skipField(tag);
        }
      }
    }

    void dataPoint() throws IOException {
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (WireFormat.getTagFieldNumber(tag) == TIME_UNIX_NANO
            && WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_FIXED64) {
          latest = Math.max(latest, in.readFixed64());
          in.skipRawBytes(in.getBytesUntilLimit());
        } else {
          in.skipField(tag);
        }
      }
    }

    void messages(int fieldNumber, Level level) throws IOException {
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (WireFormat.getTagFieldNumber(tag) == fieldNumber && isMessage(tag)) {
          nested(level);
        } else {
          in.skipField(tag);
        }
      }
    }

    private void nested(Level level) throws IOException {
      int outer = in.pushLimit(in.readRawVarint32());
      level.read();
      in.popLimit(outer);
    }

    private static boolean isMessage(int tag) {
      return WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
    }
  }
}
