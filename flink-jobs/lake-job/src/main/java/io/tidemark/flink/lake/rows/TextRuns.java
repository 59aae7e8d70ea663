package io.tidemark.flink.lake.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.lake.parquet.ColumnData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the texts of a column as runs of equal texts. */
final class TextRuns {

  private final Map<String, Integer> known = new HashMap<>();
  private final List<byte[]> distinct = new ArrayList<>();
  private int[] ids = new int[64];
  private int[] ends = new int[64];
  private int runs;

  /**
   * @param end rows up to here have this text, from where the last run ended
   */
  void add(@Nullable String text, int end) {
    int id = -1;
    if (text != null) {
      Integer found = known.putIfAbsent(text, distinct.size());
      if (found == null) {
        id = distinct.size();
        distinct.add(text.getBytes(UTF_8));
      } else {
        id = found;
      }
    }
    if (runs > 0 && ids[runs - 1] == id) {
      ends[runs - 1] = end;
      return;
    }
    if (runs == ids.length) {
      ids = Arrays.copyOf(ids, runs * 2);
      ends = Arrays.copyOf(ends, runs * 2);
    }
    ids[runs] = id;
    ends[runs++] = end;
  }

  ColumnData take() {
    if (distinct.isEmpty()) {
      return new ColumnData.Absent();
    }
    return new ColumnData.Texts(
        distinct.toArray(new byte[0][]), Arrays.copyOf(ids, runs), Arrays.copyOf(ends, runs));
  }
}
