package io.tidemark.flink.lake.rows;

import io.tidemark.flink.lake.parquet.RowGroupSource;
import java.util.Map;

/** Collects rows of one table until they are worth writing. */
public interface RowBuffer<T> {

  /** Takes what an element holds; what cannot be used is counted and skipped. Never throws. */
  void add(T element);

  boolean isEmpty();

  /** Whether {@link #drain} is due. */
  boolean isFull();

  /** Hands all rows over, partition by partition, and forgets them. */
  void drain(Partitions partitions);

  /** Counts since the last call of what was read. */
  Tally takeTally();

  /**
   * Hands over how far the topic was read since the last call: partition and offset after the last
   * record. Empty where a table says nothing of it.
   */
  default Map<Integer, Long> takeOffsets() {
    return Map.of();
  }

  /** Receives the rows of one partition in order. */
  interface Partitions {
    /**
     * @param day days since 1970-01-01 of the rows' event time
     * @param bucket the tenant's bucket
     */
    void write(int day, int bucket, RowGroupSource rows);
  }

  /**
   * @param rows taken
   * @param skipped elements, or lines of elements, that could not be used
   */
  record Tally(long rows, long skipped) {}
}
