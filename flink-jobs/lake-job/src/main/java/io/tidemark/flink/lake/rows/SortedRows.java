package io.tidemark.flink.lake.rows;

import java.util.Arrays;
import java.util.TreeSet;

/** Puts collected rows in order and splits them into the table's partitions. */
final class SortedRows {

  private static final int SHORT = 48;

  /** Receives the rows of one partition: {@code rows[from]} to {@code rows[to - 1]}, in order. */
  interface Partitions {
    void accept(int bucket, int day, int[] rows, int from, int to);
  }

  private SortedRows() {}

  /**
   * @param count rows, numbered from 0
   * @param series series of every row
   * @param times of every row
   * @param unitsPerDay of the times
   */
  static void forEachPartition(
      int count,
      int[] series,
      long[] times,
      long unitsPerDay,
      SeriesOrder order,
      Partitions partitions) {
    if (count == 0) {
      return;
    }
    int[] rows = sorted(count, series, times, order);
    long least = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (int i = 0; i < count; i++) {
      least = Math.min(least, times[i]);
      max = Math.max(max, times[i]);
    }
    if (Math.floorDiv(least, unitsPerDay) == Math.floorDiv(max, unitsPerDay)) {
      buckets((int) Math.floorDiv(least, unitsPerDay), rows, count, series, order, partitions);
      return;
    }
    TreeSet<Long> days = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      days.add(Math.floorDiv(times[i], unitsPerDay));
    }
    int[] ofDay = new int[count];
    for (long day : days) {
      int found = 0;
      for (int i = 0; i < count; i++) {
        if (Math.floorDiv(times[rows[i]], unitsPerDay) == day) {
          ofDay[found++] = rows[i];
        }
      }
      buckets((int) day, ofDay, found, series, order, partitions);
    }
  }

  private static void buckets(
      int day, int[] rows, int count, int[] series, SeriesOrder order, Partitions partitions) {
    int from = 0;
    while (from < count) {
      int bucket = order.bucket(series[rows[from]]);
      int to = from + 1;
      while (to < count
          && (series[rows[to]] == series[rows[to - 1]]
              || order.bucket(series[rows[to]]) == bucket)) {
        to++;
      }
      partitions.accept(bucket, day, rows, from, to);
      from = to;
    }
  }

  /** By counting per series; within a series rows mostly come in order. */
  private static int[] sorted(int count, int[] series, long[] times, SeriesOrder order) {
    int[] ranks = order.ranks();
    int[] ends = new int[ranks.length + 1];
    for (int i = 0; i < count; i++) {
      ends[ranks[series[i]] + 1]++;
    }
    for (int rank = 0; rank < ranks.length; rank++) {
      ends[rank + 1] += ends[rank];
    }
    int[] rows = new int[count];
    int[] next = ends.clone();
    for (int i = 0; i < count; i++) {
      rows[next[ranks[series[i]]]++] = i;
    }
    for (int rank = 0; rank < ranks.length; rank++) {
      inOrderOfTime(rows, ends[rank], ends[rank + 1], times);
    }
    return rows;
  }

  private static void inOrderOfTime(int[] rows, int from, int to, long[] times) {
    int sortedTo = from + 1;
    while (sortedTo < to && times[rows[sortedTo - 1]] <= times[rows[sortedTo]]) {
      sortedTo++;
    }
    if (sortedTo >= to) {
      return;
    }
    if (to - from > SHORT) {
      Integer[] boxed = new Integer[to - from];
      Arrays.setAll(boxed, i -> rows[from + i]);
      Arrays.sort(boxed, (one, other) -> Long.compare(times[one], times[other]));
      for (int i = 0; i < boxed.length; i++) {
        rows[from + i] = boxed[i];
      }
      return;
    }
    for (int i = sortedTo; i < to; i++) {
      int row = rows[i];
      int at = i;
      while (at > from && times[rows[at - 1]] > times[row]) {
        rows[at] = rows[at - 1];
        at--;
      }
      rows[at] = row;
    }
  }
}
