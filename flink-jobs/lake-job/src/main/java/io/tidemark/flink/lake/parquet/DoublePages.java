package io.tidemark.flink.lake.parquet;

import io.tidemark.flink.lake.parquet.PageOutput.DataPage;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.Encoding;
import org.jspecify.annotations.Nullable;

/**
 * Pages of a column of doubles. Values of different metrics have little in common, so each stretch
 * of rows has a page of its own in the form that is smallest for it: as they are, their bytes split
 * into streams (many digits, or whole numbers), or places in a dictionary (few digits) that all
 * pages share. Forms are tried and measured, not guessed.
 */
final class DoublePages {

  /** Beyond it a dictionary takes more memory of readers than it saves. */
  private static final int MAX_DISTINCT = 1 << 16;

  /** What a value of the dictionary takes in the file, about. */
  private static final int BYTES_PER_DISTINCT = 6;

  /** So many values tell whether a dictionary is of use. */
  private static final int PROBE = 1 << 15;

  private final PageOutput pages;
  private final ByteSink body = new ByteSink();
  private final ByteSink levels = new ByteSink();
  private int[] ids = new int[0];

  DoublePages(PageOutput pages) {
    this.pages = pages;
  }

  /**
   * @param stretches ends of rows whose values are alike; the last is the number of rows
   */
  void write(ColumnData.Doubles data, int[] stretches, int leaf, boolean isRequired) {
    int rows = stretches[stretches.length - 1];
    boolean[] present = data.present();
    double[] values = data.values();
    int count = rows;
    if (present != null) {
      double[] dense = new double[rows];
      count = 0;
      for (int i = 0; i < rows; i++) {
        if (present[i]) {
          dense[count++] = values[i];
        }
      }
      values = dense;
    }
    DoubleDictionary dictionary = new DoubleDictionary();
    List<DataPage> written = new ArrayList<>();
    int row = 0;
    int at = 0;
    for (int end : stretches) {
      levels.clear();
      int inPage = isRequired ? end - row : definitions(present, row, end);
      written.add(page(values, at, at + inPage, end - row, dictionary));
      at += inPage;
      row = end;
    }
    Bounds bounds = Bounds.ofDoubles(values, count);
    bounds.values = rows;
    bounds.nulls = rows - count;
    ByteSink distinct = null;
    if (dictionary.size() > 0) {
      distinct = new ByteSink();
      dictionary.writeTo(distinct);
    }
    pages.chunk(leaf, written, distinct, dictionary.size(), bounds);
  }

  private DataPage page(double[] values, int from, int to, int rows, DoubleDictionary dictionary) {
    DataPage best = asTheyAre(values, from, to, rows);
    DataPage split = split(values, from, to, rows);
    best = split.size() < best.size() ? split : best;
    int before = dictionary.size();
    DataPage places = places(values, from, to, rows, dictionary);
    if (places != null
        && places.size() + (dictionary.size() - before) * BYTES_PER_DISTINCT < best.size()) {
      return places;
    }
    dictionary.shrinkTo(before);
    return best;
  }

  private DataPage asTheyAre(double[] values, int from, int to, int rows) {
    begin();
    body.ensure((to - from) * Double.BYTES);
    for (int i = from; i < to; i++) {
      body.putLong(Double.doubleToRawLongBits(values[i]));
    }
    return pages.compressed(rows, Encoding.PLAIN, body);
  }

  /** First bytes of all values, then all second bytes. */
  private DataPage split(double[] values, int from, int to, int rows) {
    begin();
    int count = to - from;
    int start = body.size();
    body.skip(count * Double.BYTES);
    byte[] bytes = body.array();
    for (int i = 0; i < count; i++) {
      long bits = Double.doubleToRawLongBits(values[from + i]);
      for (int stream = 0; stream < Double.BYTES; stream++) {
        bytes[start + stream * count + i] = (byte) (bits >>> (Byte.SIZE * stream));
      }
    }
    return pages.compressed(rows, Encoding.BYTE_STREAM_SPLIT, body);
  }

  /** Null when values hardly repeat. */
  private @Nullable DataPage places(
      double[] values, int from, int to, int rows, DoubleDictionary dictionary) {
    int count = to - from;
    if (count == 0) {
      return null;
    }
    if (ids.length < count) {
      ids = new int[count];
    }
    int before = dictionary.size();
    for (int i = 0; i < count; i++) {
      ids[i] = dictionary.idOf(values[from + i]);
      int added = dictionary.size() - before;
      if (dictionary.size() > MAX_DISTINCT || (i == PROBE && added * 4 > i * 3)) {
        return null;
      }
    }
    begin();
    int width = RunLengths.widthOf(Math.max(0, dictionary.size() - 1));
    body.write(width);
    RunLengths places = new RunLengths(width, body);
    for (int i = 0; i < count; i++) {
      places.add(ids[i]);
    }
    places.finish();
    return pages.compressed(rows, Encoding.RLE_DICTIONARY, body);
  }

  private void begin() {
    body.clear();
    body.write(levels.array(), 0, levels.size());
  }

  /** Returns how many of the rows have a value. */
  private int definitions(boolean @Nullable [] present, int from, int to) {
    int header = ChunkWriter.beginLevels(levels);
    RunLengths lengths = new RunLengths(1, levels);
    int count = 0;
    if (present == null) {
      count = to - from;
      lengths.add(1, count);
    } else {
      for (int i = from; i < to; i++) {
        lengths.add(present[i] ? 1 : 0);
        count += present[i] ? 1 : 0;
      }
    }
    lengths.finish();
    ChunkWriter.endLevels(levels, header);
    return count;
  }
}
