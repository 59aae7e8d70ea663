package io.tidemark.flink.lake.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.lake.parquet.ColumnData;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Columns from objects, one per row; null stands for absent. */
final class OptionalColumns {

  private OptionalColumns() {}

  static <T> ColumnData wholes(T[] rows, Function<T, @Nullable Long> column) {
    long[] values = new long[rows.length];
    boolean[] present = new boolean[rows.length];
    int count = 0;
    for (int i = 0; i < rows.length; i++) {
      Long value = column.apply(rows[i]);
      if (value != null) {
        values[i] = value;
        present[i] = true;
        count++;
      }
    }
    return count == 0
        ? new ColumnData.Absent()
        : new ColumnData.Wholes(values, count == values.length ? null : present);
  }

  static <T> ColumnData doubles(T[] rows, Function<T, @Nullable Double> column) {
    double[] values = new double[rows.length];
    boolean[] present = new boolean[rows.length];
    int count = 0;
    for (int i = 0; i < rows.length; i++) {
      Double value = column.apply(rows[i]);
      if (value != null) {
        values[i] = value;
        present[i] = true;
        count++;
      }
    }
    return count == 0
        ? new ColumnData.Absent()
        : new ColumnData.Doubles(values, count == values.length ? null : present);
  }

  static <T> ColumnData uniqueTexts(T[] rows, Function<T, @Nullable String> column) {
    byte[][] values = new byte[rows.length][];
    boolean found = false;
    for (int i = 0; i < rows.length; i++) {
      String value = column.apply(rows[i]);
      if (value != null) {
        values[i] = value.getBytes(UTF_8);
        found = true;
      }
    }
    return found ? new ColumnData.UniqueTexts(values) : new ColumnData.Absent();
  }
}
