package io.tidemark.flink.io.rows;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.io.NumberOutput;
import io.tidemark.flink.model.panes.Figures;
import io.tidemark.flink.model.series.SeriesKey;
import java.util.Arrays;

/**
 * Rollup rows on their way to become one Kafka record: newline-delimited JSON, up to {@value
 * #MOST_ROWS} rows, a third of the cost for Druid.
 */
public final class RowLines {

  static final int MOST_ROWS = 500;

  /** More than the members that differ between rows of a series ever need, bytes. */
  private static final int FIGURES_SIZE = 512;

  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final double EXACT_WHOLE = 1e15;

  private static final byte[] TIMESTAMP = ascii("{\"timestamp\":");
  private static final byte[] SERIES_ID = ascii(",\"series_id\":\"");
  private static final byte[] SUM = ascii(",\"sum\":");
  private static final byte[] COUNT = ascii(",\"count\":");
  private static final byte[] MIN = ascii(",\"min\":");
  private static final byte[] MAX = ascii(",\"max\":");
  private static final byte[] LAST = ascii(",\"last\":");
  private static final byte[] LAST_TIMESTAMP = ascii(",\"last_timestamp\":");
  private static final byte[] DISTRIBUTION = ascii(",\"distribution\":\"");
  private static final byte[] PANE_ID = ascii(",\"pane_id\":\"");
  private static final byte[] HEX = ascii("0123456789abcdef");

  private byte[] lines = new byte[16 * 1024];
  private int size;
  private int rows;

  /** Whether a series with this text can be written at all. */
  public static boolean canHold(int rowText) {
    return rowText + FIGURES_SIZE + DistributionText.LARGEST <= RowSink.LARGEST_BUNDLE;
  }

  public boolean isEmpty() {
    return rows == 0;
  }

  /** Whether a row of a series with this text still fits. */
  public boolean hasRoomFor(byte[] head, byte[] labels, Figures figures) {
    return rows < MOST_ROWS && size + largest(head, labels, figures) <= RowSink.LARGEST_BUNDLE;
  }

  /**
   * @param window start of the window, milliseconds since the Unix epoch
   * @param head {@link RowText#head} of the series
   * @param labels of the series as in {@code DescriptorBytes}
   * @param pane makes the pane's id unique within series and window
   */
  public void add(
      long window, SeriesKey key, byte[] head, byte[] labels, Figures figures, long pane) {
    int needed = size + largest(head, labels, figures);
    if (needed > lines.length) {
      lines = Arrays.copyOf(lines, Math.max(needed, lines.length * 2));
    }
    if (rows > 0) {
      lines[size++] = '\n';
    }
    rows++;
    put(TIMESTAMP);
    put(window);
    lines[size++] = ',';
    put(head);
    put(SERIES_ID);
    putHex(key.high());
    putHex(key.low());
    lines[size++] = '"';
    size = LabelText.write(labels, lines, size);
    putIfPresent(SUM, figures.sum);
    put(COUNT);
    put(figures.count);
    putIfPresent(MIN, figures.min);
    putIfPresent(MAX, figures.max);
    if (!Double.isNaN(figures.last)) {
      putIfPresent(LAST, figures.last);
      put(LAST_TIMESTAMP);
      put(Math.floorDiv(figures.lastTimeUnixNano, NANOS_PER_MILLI));
    }
    if (figures.distribution != null && !figures.distribution.isEmpty()) {
      put(DISTRIBUTION);
      size = DistributionText.write(figures.distribution, lines, size);
      lines[size++] = '"';
    }
    put(PANE_ID);
    putHex(key.high());
    putHex(key.low());
    lines[size++] = '-';
    put(window);
    lines[size++] = '-';
    put(pane);
    lines[size++] = '"';
    lines[size++] = '}';
  }

  /** The record value; nothing is left afterwards. */
  public byte[] take() {
    byte[] value = Arrays.copyOf(lines, size);
    size = 0;
    rows = 0;
    return value;
  }

  private static int largest(byte[] head, byte[] labels, Figures figures) {
    return head.length
        + LabelText.largest(labels)
        + FIGURES_SIZE
        + DistributionText.largest(figures.distribution);
  }

  private void putIfPresent(byte[] name, double figure) {
    if (Double.isNaN(figure)) {
      return;
    }
    put(name);
    // Whole numbers need no search for the shortest digits.
    if (Math.abs(figure) < EXACT_WHOLE && figure == Math.rint(figure)) {
      put((long) figure);
      lines[size++] = '.';
      lines[size++] = '0';
    } else {
      size = DoubleText.write(figure, lines, size);
    }
  }

  private void put(byte[] bytes) {
    System.arraycopy(bytes, 0, lines, size, bytes.length);
    size += bytes.length;
  }

  private void put(long number) {
    size = NumberOutput.outputLong(number, lines, size);
  }

  private void putHex(long bits) {
    for (int shift = 60; shift >= 0; shift -= 4) {
      lines[size++] = HEX[(int) (bits >>> shift) & 0xf];
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }
}
