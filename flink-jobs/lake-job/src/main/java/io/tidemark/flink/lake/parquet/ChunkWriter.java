package io.tidemark.flink.lake.parquet;

import org.apache.parquet.format.Encoding;

/**
 * Turns one column of a row group into the pages of its leaves: at most one dictionary page, and
 * one data page except for doubles.
 */
final class ChunkWriter {

  private final PageOutput pages;
  private final ByteSink body = new ByteSink();
  private final ByteSink dictionary = new ByteSink();

  ChunkWriter(PageOutput pages) {
    this.pages = pages;
  }

  /**
   * @param leaf place of the column's first leaf in the file
   * @param stretches ends of rows whose values are alike; the last is the number of rows
   * @param isRequired whether the column has no definition level of its own
   */
  void write(ColumnData data, int leaf, int[] stretches, boolean isRequired, boolean isInt) {
    int rows = stretches[stretches.length - 1];
    if (data instanceof ColumnData.Wholes wholes) {
      wholes(wholes, leaf, rows, isRequired, isInt);
    } else if (data instanceof ColumnData.Doubles doubles) {
      new DoublePages(pages).write(doubles, stretches, leaf, isRequired);
    } else if (data instanceof ColumnData.Booleans booleans) {
      booleans(booleans, leaf, rows, isRequired);
    } else if (data instanceof ColumnData.Texts texts) {
      texts(texts, leaf, rows, isRequired);
    } else if (data instanceof ColumnData.UniqueTexts texts) {
      uniqueTexts(texts, leaf, rows, isRequired);
    } else if (data instanceof ColumnData.Maps maps) {
      maps(maps, leaf, isRequired);
    } else if (data instanceof ColumnData.WholeLists lists) {
      new ListPages(pages, body).wholes(lists.values(), leaf, rows, isRequired);
    } else if (data instanceof ColumnData.DoubleLists lists) {
      new ListPages(pages, body).doubles(lists.values(), leaf, rows, isRequired);
    } else {
      absent(leaf, rows);
    }
  }

  /** For flat columns and lists alike: nothing repeats and nothing is defined. */
  private void absent(int leaf, int rows) {
    body.clear();
    if (pages.isNested(leaf)) {
      levels(body, 1, 0, rows);
      levels(body, 2, 0, rows);
    } else {
      levels(body, 1, 0, rows);
    }
    Bounds bounds = new Bounds();
    bounds.values = rows;
    bounds.nulls = rows;
    pages.chunk(leaf, rows, Encoding.PLAIN, body, null, 0, bounds);
  }

  private void wholes(
      ColumnData.Wholes data, int leaf, int rows, boolean isRequired, boolean isInt) {
    body.clear();
    boolean[] present = data.present();
    long[] values = data.values();
    int count = rows;
    if (!isRequired) {
      count = definitions(present, rows);
    }
    if (present != null) {
      long[] dense = new long[count];
      int at = 0;
      for (int i = 0; i < rows; i++) {
        if (present[i]) {
          dense[at++] = values[i];
        }
      }
      values = dense;
    }
    Bounds bounds = Bounds.ofWholes(values, count, isInt);
    bounds.values = rows;
    bounds.nulls = rows - count;
    DeltaBinaryPackedEncoder.write(values, count, isInt, body);
    pages.chunk(leaf, rows, Encoding.DELTA_BINARY_PACKED, body, null, 0, bounds);
  }

  private void booleans(ColumnData.Booleans data, int leaf, int rows, boolean isRequired) {
    body.clear();
    if (!isRequired) {
      levels(body, 1, 1, rows);
    }
    for (int from = 0; from < rows; from += Byte.SIZE) {
      int packed = 0;
      for (int i = from; i < Math.min(rows, from + Byte.SIZE); i++) {
        packed |= data.values()[i] ? 1 << (i - from) : 0;
      }
      body.write(packed);
    }
    Bounds bounds = new Bounds();
    bounds.values = rows;
    pages.chunk(leaf, rows, Encoding.PLAIN, body, null, 0, bounds);
  }

  private void texts(ColumnData.Texts data, int leaf, int rows, boolean isRequired) {
    body.clear();
    int nulls = 0;
    if (!isRequired) {
      int header = beginLevels(body);
      RunLengths levels = new RunLengths(1, body);
      int from = 0;
      for (int run = 0; run < data.ids().length; run++) {
        int length = data.runs()[run] - from;
        boolean isPresent = data.ids()[run] >= 0;
        levels.add(isPresent ? 1 : 0, length);
        nulls += isPresent ? 0 : length;
        from = data.runs()[run];
      }
      levels.finish();
      endLevels(body, header);
    }
    dictionary.clear();
    for (byte[] text : data.distinct()) {
      dictionary.putText(text);
    }
    int width = RunLengths.widthOf(Math.max(0, data.distinct().length - 1));
    body.write(width);
    RunLengths ids = new RunLengths(width, body);
    int from = 0;
    for (int run = 0; run < data.ids().length; run++) {
      if (data.ids()[run] >= 0) {
        ids.add(data.ids()[run], data.runs()[run] - from);
      }
      from = data.runs()[run];
    }
    ids.finish();
    Bounds bounds = Bounds.ofTexts(data.distinct());
    bounds.values = rows;
    bounds.nulls = nulls;
    pages.chunk(
        leaf, rows, Encoding.RLE_DICTIONARY, body, dictionary, data.distinct().length, bounds);
  }

  private void uniqueTexts(ColumnData.UniqueTexts data, int leaf, int rows, boolean isRequired) {
    body.clear();
    int nulls = 0;
    for (int i = 0; i < rows; i++) {
      nulls += data.values()[i] == null ? 1 : 0;
    }
    if (!isRequired) {
      int header = beginLevels(body);
      RunLengths levels = new RunLengths(1, body);
      for (int i = 0; i < rows; i++) {
        levels.add(data.values()[i] == null ? 0 : 1);
      }
      levels.finish();
      endLevels(body, header);
    }
    for (int i = 0; i < rows; i++) {
      byte[] text = data.values()[i];
      if (text != null) {
        body.putText(text);
      }
    }
    Bounds bounds = Bounds.ofTexts(data.values());
    bounds.values = rows;
    bounds.nulls = nulls;
    pages.chunk(leaf, rows, Encoding.PLAIN, body, null, 0, bounds);
  }

  /** Keys, then values: two leaves with the same levels. */
  private void maps(ColumnData.Maps data, int leaf, boolean isRequired) {
    mapLeaf(data, leaf, isRequired, data.keyIds(), data.keys());
    mapLeaf(data, leaf + 1, isRequired, data.valueIds(), data.values());
  }

  private void mapLeaf(
      ColumnData.Maps data, int leaf, boolean isRequired, int[][] ids, byte[][] distinct) {
    body.clear();
    int defined = isRequired ? 1 : 2;
    int header = beginLevels(body);
    RunLengths repetitions = new RunLengths(1, body);
    int from = 0;
    int levels = 0;
    for (int run = 0; run < data.ids().length; run++) {
      int length = data.runs()[run] - from;
      int entries = ids[data.ids()[run]].length;
      if (entries <= 1) {
        repetitions.add(0, length);
      } else {
        for (int row = 0; row < length; row++) {
          repetitions.add(0);
          repetitions.add(1, entries - 1);
        }
      }
      levels += length * Math.max(1, entries);
      from = data.runs()[run];
    }
    repetitions.finish();
    endLevels(body, header);
    header = beginLevels(body);
    RunLengths definitions = new RunLengths(RunLengths.widthOf(defined), body);
    from = 0;
    int empty = 0;
    for (int run = 0; run < data.ids().length; run++) {
      int length = data.runs()[run] - from;
      int entries = ids[data.ids()[run]].length;
      definitions.add(entries == 0 ? defined - 1 : defined, length * Math.max(1, entries));
      empty += entries == 0 ? length : 0;
      from = data.runs()[run];
    }
    definitions.finish();
    endLevels(body, header);
    int width = RunLengths.widthOf(Math.max(0, distinct.length - 1));
    body.write(width);
    RunLengths places = new RunLengths(width, body);
    from = 0;
    for (int run = 0; run < data.ids().length; run++) {
      int length = data.runs()[run] - from;
      int[] entries = ids[data.ids()[run]];
      if (entries.length == 1) {
        places.add(entries[0], length);
      } else {
        for (int row = 0; row < length; row++) {
          for (int id : entries) {
            places.add(id);
          }
        }
      }
      from = data.runs()[run];
    }
    places.finish();
    dictionary.clear();
    for (byte[] text : distinct) {
      dictionary.putText(text);
    }
    Bounds bounds = new Bounds();
    bounds.values = levels;
    bounds.nulls = empty;
    pages.chunk(leaf, levels, Encoding.RLE_DICTIONARY, body, dictionary, distinct.length, bounds);
  }

  /** Definition levels of an optional column; returns how many rows have a value. */
  private int definitions(boolean @org.jspecify.annotations.Nullable [] present, int rows) {
    if (present == null) {
      levels(body, 1, 1, rows);
      return rows;
    }
    int header = beginLevels(body);
    RunLengths levels = new RunLengths(1, body);
    int count = 0;
    for (int i = 0; i < rows; i++) {
      levels.add(present[i] ? 1 : 0);
      count += present[i] ? 1 : 0;
    }
    levels.finish();
    endLevels(body, header);
    return count;
  }

  private static void levels(ByteSink body, int largest, int level, int count) {
    int header = beginLevels(body);
    RunLengths levels = new RunLengths(RunLengths.widthOf(largest), body);
    levels.add(level, count);
    levels.finish();
    endLevels(body, header);
  }

  static int beginLevels(ByteSink body) {
    int header = body.size();
    body.putInt(0);
    return header;
  }

  static void endLevels(ByteSink body, int header) {
    body.setInt(header, body.size() - header - Integer.BYTES);
  }
}
