package io.tidemark.flink.rollup.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.util.HexFormat;

/** The row of a peer: no labels, but figures by the same names and the same writer of numbers. */
final class PeerRow {

  private PeerRow() {}

  static byte[] of(
      long minute, long high, long low, double sum, long count, double min, double max) {
    HexFormat hex = HexFormat.of();
    String row =
        "{\"timestamp\":"
            + minute
            + ",\"series_id\":\""
            + hex.toHexDigits(high)
            + hex.toHexDigits(low)
            + "\",\"sum\":"
            + NumberOutput.toString(sum, true)
            + ",\"count\":"
            + count
            + ",\"min\":"
            + NumberOutput.toString(min, true)
            + ",\"max\":"
            + NumberOutput.toString(max, true)
            + "}";
    return row.getBytes(US_ASCII);
  }
}
