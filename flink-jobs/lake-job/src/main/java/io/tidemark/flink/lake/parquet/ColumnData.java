package io.tidemark.flink.lake.parquet;

import org.jspecify.annotations.Nullable;

/** The values of one column for the rows of a row group, in row order. */
public sealed interface ColumnData {

  /** No row has a value. */
  record Absent() implements ColumnData {}

  /**
   * Longs, timestamps in microseconds, or ints.
   *
   * @param values one per row; where absent any
   * @param present which rows have a value; null when all have
   */
  record Wholes(long[] values, boolean @Nullable [] present) implements ColumnData {}

  /**
   * @param values one per row; where absent any
   * @param present which rows have a value; null when all have
   */
  record Doubles(double[] values, boolean @Nullable [] present) implements ColumnData {}

  /** One per row. */
  record Booleans(boolean[] values) implements ColumnData {}

  /**
   * Texts that repeat.
   *
   * @param distinct UTF-8; every one is used
   * @param ids of every run, places in {@code distinct}; -1 for absent
   * @param runs rows up to the end of every run
   */
  record Texts(byte[][] distinct, int[] ids, int[] runs) implements ColumnData {}

  /**
   * Texts that do not repeat.
   *
   * @param values UTF-8, one per row; null for absent
   */
  record UniqueTexts(byte[] @Nullable [] values) implements ColumnData {}

  /**
   * Maps from text to text that repeat. The entries of map {@code m} are {@code keyIds[m][i]} with
   * {@code valueIds[m][i]}.
   *
   * @param ids of every run, places in {@code keyIds} and {@code valueIds}
   * @param runs rows up to the end of every run
   * @param keys distinct keys, UTF-8
   * @param values distinct values, UTF-8
   */
  record Maps(
      int[] ids, int[] runs, int[][] keyIds, int[][] valueIds, byte[][] keys, byte[][] values)
      implements ColumnData {}

  /** One list per row; null for absent. */
  record WholeLists(long[] @Nullable [] values) implements ColumnData {}

  /** One list per row; null for absent. */
  record DoubleLists(double[] @Nullable [] values) implements ColumnData {}
}
