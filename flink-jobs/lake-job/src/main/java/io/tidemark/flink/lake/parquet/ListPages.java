package io.tidemark.flink.lake.parquet;

import org.apache.parquet.format.Encoding;
import org.jspecify.annotations.Nullable;

/** Pages of list columns. An optional list is absent at 0, empty at 1, has an element at 2. */
final class ListPages {

  private final PageOutput pages;
  private final ByteSink body;

  ListPages(PageOutput pages, ByteSink body) {
    this.pages = pages;
    this.body = body;
  }

  void wholes(long[] @Nullable [] lists, int leaf, int rows, boolean isRequired) {
    int[] lengths = new int[rows];
    int elements = 0;
    for (int i = 0; i < rows; i++) {
      long[] list = lists[i];
      lengths[i] = list == null ? -1 : list.length;
      elements += Math.max(0, lengths[i]);
    }
    long[] values = new long[elements];
    int at = 0;
    for (int i = 0; i < rows; i++) {
      long[] list = lists[i];
      if (list != null) {
        System.arraycopy(list, 0, values, at, list.length);
        at += list.length;
      }
    }
    Bounds bounds = levels(lengths, elements, isRequired);
    DeltaBinaryPackedEncoder.write(values, elements, false, body);
    pages.chunk(leaf, (int) bounds.values, Encoding.DELTA_BINARY_PACKED, body, null, 0, bounds);
  }

  void doubles(double[] @Nullable [] lists, int leaf, int rows, boolean isRequired) {
    int[] lengths = new int[rows];
    int elements = 0;
    for (int i = 0; i < rows; i++) {
      double[] list = lists[i];
      lengths[i] = list == null ? -1 : list.length;
      elements += Math.max(0, lengths[i]);
    }
    Bounds bounds = levels(lengths, elements, isRequired);
    for (int i = 0; i < rows; i++) {
      double[] list = lists[i];
      if (list != null) {
        for (double value : list) {
          body.putLong(Double.doubleToRawLongBits(value));
        }
      }
    }
    pages.chunk(leaf, (int) bounds.values, Encoding.PLAIN, body, null, 0, bounds);
  }

  private Bounds levels(int[] lengths, int elements, boolean isRequired) {
    body.clear();
    int defined = isRequired ? 1 : 2;
    Bounds bounds = new Bounds();
    int header = ChunkWriter.beginLevels(body);
    RunLengths repetitions = new RunLengths(1, body);
    for (int length : lengths) {
      repetitions.add(0);
      if (length > 1) {
        repetitions.add(1, length - 1);
      }
    }
    repetitions.finish();
    ChunkWriter.endLevels(body, header);
    header = ChunkWriter.beginLevels(body);
    RunLengths definitions = new RunLengths(RunLengths.widthOf(defined), body);
    for (int length : lengths) {
      if (length > 0) {
        definitions.add(defined, length);
      } else {
        definitions.add(length < 0 ? defined - 2 : defined - 1);
        bounds.nulls++;
      }
    }
    definitions.finish();
    ChunkWriter.endLevels(body, header);
    bounds.values = elements + bounds.nulls;
    return bounds;
  }
}
