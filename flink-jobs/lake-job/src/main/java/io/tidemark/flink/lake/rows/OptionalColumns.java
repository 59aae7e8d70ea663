package io.tidemark.flink.lake.rows;

import io.tidemark.flink.lake.parquet.ColumnData;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Columns some rows of which may have no value. */
final class OptionalColumns {

  private OptionalColumns() {}

  /** From objects, one per row; null stands for absent. */
  static <T extends @Nullable Object> ColumnData wholes(
      T[] rows, Function<T, @Nullable Long> column) {
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

  static <T extends @Nullable Object> ColumnData doubles(
      T[] rows, Function<T, @Nullable Double> column) {
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

  /** Of the rows at these places; NaN stands for absent. */
  static ColumnData doubles(double[] column, int[] places) {
    double[] values = new double[places.length];
    boolean[] present = new boolean[places.length];
    int count = 0;
    for (int i = 0; i < places.length; i++) {
      double value = column[places[i]];
      if (!Double.isNaN(value)) {
        values[i] = value;
        present[i] = true;
        count++;
      }
    }
    return count == 0
        ? new ColumnData.Absent()
        : new ColumnData.Doubles(values, count == values.length ? null : present);
  }

  /** Of the rows at these places, all of which have one. */
  static ColumnData wholes(long[] column, int[] places) {
    long[] values = new long[places.length];
    for (int i = 0; i < places.length; i++) {
      values[i] = column[places[i]];
    }
    return new ColumnData.Wholes(values, null);
  }

  /** The same of times, by a factor; a negative one stands for absent. */
  static ColumnData times(long[] column, long factor, int[] places) {
    long[] values = new long[places.length];
    boolean[] present = new boolean[places.length];
    int count = 0;
    for (int i = 0; i < places.length; i++) {
      long value = column[places[i]];
      if (value >= 0) {
        values[i] = value * factor;
        present[i] = true;
        count++;
      }
    }
    return count == 0
        ? new ColumnData.Absent()
        : new ColumnData.Wholes(values, count == values.length ? null : present);
  }

  /** Texts in UTF-8 of the rows at these places; null stands for absent. */
  static ColumnData uniqueTexts(byte[] @Nullable [] column, int[] places) {
    byte[] @Nullable [] values = new byte[places.length][];
    boolean isFound = false;
    for (int i = 0; i < places.length; i++) {
      values[i] = column[places[i]];
      isFound |= values[i] != null;
    }
    return isFound ? new ColumnData.UniqueTexts(values) : new ColumnData.Absent();
  }
}
