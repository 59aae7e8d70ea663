package io.tidemark.flink.io.rows;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.io.NumberOutput;
import io.tidemark.flink.model.panes.PaneAggregate;
import io.tidemark.flink.model.series.SeriesKey;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Rollup rows on their way to become one Kafka record: newline-delimited JSON, up to {@value
 * #MAX_ROWS} rows, a third of the cost for Druid.
 */
public final class RowLines {

  static final int MAX_ROWS = 500;

  /** More than the members that differ between rows of a series ever need, bytes. */
  private static final int FIGURES_SIZE = 512;

  private static final long NANOS_PER_MILLI = 1_000_000L;

  /** Sum, min, max, last. */
  private static final int MAX_FIGURES = 4;

  private static final int LONGEST_NUMBER = 20;
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

  /** Digits of an id. */
  private static final int ID_LENGTH = 32;

  /** Two digits of each byte. */
  private static final byte[] HEX = hex();

  /** Figures of the row that are written already: of one point all are equal. */
  private final long[] textOf = new long[MAX_FIGURES];

  private final int[] textFrom = new int[MAX_FIGURES];
  private final int[] textTo = new int[MAX_FIGURES];
  private int texts;

  private final RepeatedNumber windowText = new RepeatedNumber();
  private final RepeatedNumber lastTimeText = new RepeatedNumber();
  private final RepeatedNumber paneText = new RepeatedNumber();

  // The row before: rows of one series mostly follow each other, and name it with the same text.
  private byte @Nullable [] namedHead;
  private byte @Nullable [] namedLabels;
  private SeriesKey namedKey = new SeriesKey(0, 0);
  private int namesFrom;
  private int namesLength;

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
  public boolean hasRoomFor(byte[] head, byte[] labels, PaneAggregate figures) {
    return rows < MAX_ROWS && size + largest(head, labels, figures) <= RowSink.LARGEST_BUNDLE;
  }

  /**
   * @param window start of the window, milliseconds since the Unix epoch
   * @param head {@link RowText#head} of the series
   * @param labels of the series as in {@code DescriptorBytes}
   * @param pane makes the pane's id unique within series and window
   */
  public void add(
      long window, SeriesKey key, byte[] head, byte[] labels, PaneAggregate figures, long pane) {
    int needed = size + largest(head, labels, figures);
    if (needed > lines.length) {
      lines = Arrays.copyOf(lines, Math.max(needed, lines.length * 2));
    }
    if (rows > 0) {
      lines[size++] = '\n';
    }
    rows++;
    put(TIMESTAMP);
    windowText.put(window);
    lines[size++] = ',';
    putNames(key, head, labels);
    texts = 0;
    putIfPresent(SUM, figures.sum);
    put(COUNT);
    put(figures.count);
    putIfPresent(MIN, figures.min);
    putIfPresent(MAX, figures.max);
    if (!Double.isNaN(figures.last)) {
      putIfPresent(LAST, figures.last);
      put(LAST_TIMESTAMP);
      lastTimeText.put(Math.floorDiv(figures.lastTimeUnixNano, NANOS_PER_MILLI));
    }
    if (figures.distribution != null && !figures.distribution.isEmpty()) {
      put(DISTRIBUTION);
      size = DistributionText.write(figures.distribution, lines, size);
      lines[size++] = '"';
    }
    put(PANE_ID);
    System.arraycopy(lines, namesFrom + head.length + SERIES_ID.length, lines, size, ID_LENGTH);
    size += ID_LENGTH;
    lines[size++] = '-';
    windowText.put(window);
    lines[size++] = '-';
    paneText.put(pane);
    lines[size++] = '"';
    lines[size++] = '}';
  }

  private void putNames(SeriesKey key, byte[] head, byte[] labels) {
    int from = size;
    if (head == namedHead && labels == namedLabels && key.equals(namedKey)) {
      System.arraycopy(lines, namesFrom, lines, from, namesLength);
      size += namesLength;
    } else {
      put(head);
      size = writeSeries(key, lines, size);
      size = LabelText.write(labels, lines, size);
      namedHead = head;
      namedLabels = labels;
      namedKey = key;
    }
    namesFrom = from;
    namesLength = size - from;
  }

  /** The record value; nothing is left afterwards. */
  public byte[] take() {
    byte[] value = Arrays.copyOf(lines, size);
    size = 0;
    rows = 0;
    namedHead = null;
    return value;
  }

  private static int largest(byte[] head, byte[] labels, PaneAggregate figures) {
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
    long bits = Double.doubleToRawLongBits(figure);
    int from = size;
    for (int i = 0; i < texts; i++) {
      if (textOf[i] == bits) {
        System.arraycopy(lines, textFrom[i], lines, size, textTo[i] - textFrom[i]);
        size += textTo[i] - textFrom[i];
        return;
      }
    }
    // Whole numbers need no search for the shortest digits.
    if (Math.abs(figure) < EXACT_WHOLE && figure == Math.rint(figure)) {
      put((long) figure);
      lines[size++] = '.';
      lines[size++] = '0';
    } else {
      size = DoubleText.write(figure, lines, size);
    }
    textOf[texts] = bits;
    textFrom[texts] = from;
    textTo[texts++] = size;
  }

  private void put(byte[] bytes) {
    System.arraycopy(bytes, 0, lines, size, bytes.length);
    size += bytes.length;
  }

  private void put(long number) {
    size = NumberOutput.outputLong(number, lines, size);
  }

  /** The member with the id of a series, and where it ends; a comma before it. */
  static int writeSeries(SeriesKey key, byte[] out, int from) {
    System.arraycopy(SERIES_ID, 0, out, from, SERIES_ID.length);
    int at = writeHex(key.high(), out, from + SERIES_ID.length);
    at = writeHex(key.low(), out, at);
    out[at++] = '"';
    return at;
  }

  private static int writeHex(long bits, byte[] out, int from) {
    int at = from;
    for (int shift = 56; shift >= 0; shift -= 8) {
      int digits = ((int) (bits >>> shift) & 0xff) * 2;
      out[at++] = HEX[digits];
      out[at++] = HEX[digits + 1];
    }
    return at;
  }

  /** A number that is mostly the one that was written before: its digits are kept. */
  private final class RepeatedNumber {
    private final byte[] digits = new byte[LONGEST_NUMBER];
    private int length;
    private long number;

    void put(long next) {
      if (next != number || length == 0) {
        number = next;
        length = NumberOutput.outputLong(next, digits, 0);
      }
      System.arraycopy(digits, 0, lines, size, length);
      size += length;
    }
  }

  private static byte[] hex() {
    byte[] digits = new byte[512];
    for (int i = 0; i < 256; i++) {
      digits[2 * i] = (byte) Character.forDigit(i >>> 4, 16);
      digits[2 * i + 1] = (byte) Character.forDigit(i & 0xf, 16);
    }
    return digits;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }
}
