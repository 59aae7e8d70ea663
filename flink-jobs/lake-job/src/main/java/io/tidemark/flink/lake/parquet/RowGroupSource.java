package io.tidemark.flink.lake.parquet;

/** Rows that are ready to be written. */
public interface RowGroupSource {

  int rows();

  /** Ends of rows whose values are alike, such as those of one metric; the last is all rows. */
  int[] stretches();

  /** The values of the table's column {@code i}; asked for once, in the order of the columns. */
  ColumnData column(int i);
}
