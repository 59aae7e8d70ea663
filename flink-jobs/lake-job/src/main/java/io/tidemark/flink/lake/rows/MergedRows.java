package io.tidemark.flink.lake.rows;

import io.tidemark.flink.lake.parquet.ColumnData;
import io.tidemark.flink.lake.parquet.RowGroupSource;
import io.tidemark.flink.lake.parquet.SortedFileReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;

/** The rows of several files of one partition, sorted again as one row group. */
public final class MergedRows {

  private static final long MICROS_PER_DAY = 86_400_000_000L;
  private static final String TIME = "event_time";

  private final Schema schema;
  private final SeriesOrder order;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<JoinedColumn> columns = new ArrayList<>();
  private final List<ColumnData> times = new ArrayList<>();
  private final List<int[]> seriesOfGroups = new ArrayList<>();
  private int count;

  /** Says which rows are left out. */
  @FunctionalInterface
  public interface LeftOut {

    /** No row of a series. */
    long NONE = Long.MIN_VALUE;

    /** All rows of a series. */
    long ALL = Long.MAX_VALUE;

    /** Rows of the series are left out when their time, in microseconds, is before this one. */
    long before(LakeSeries series);
  }

  /**
   * @param tenantBuckets of the table
   */
  public MergedRows(Schema schema, int tenantBuckets) {
    this.schema = schema;
    this.order = new SeriesOrder(tenantBuckets);
    schema.columns().forEach(column -> columns.add(JoinedColumn.of(column.type())));
  }

  public int rows() {
    return count;
  }

  public void add(SortedFileReader file) throws IOException {
    for (int group = 0; group < file.rowGroups(); group++) {
      add(file, group);
    }
  }

  /** Adds one row group of a file. */
  public void add(SortedFileReader file, int group) throws IOException {
    int rows = file.rows(group);
    StoredSeries stored = new StoredSeries(schema, file, group);
    int[] series = new int[rows];
    for (int row = 0; row < rows; row = stored.end()) {
      stored.moveTo(row);
      int number = numberOf(stored);
      java.util.Arrays.fill(series, row, stored.end(), number);
    }
    seriesOfGroups.add(series);
    for (int i = 0; i < columns.size(); i++) {
      String name = schema.columns().get(i).name();
      if (!SeriesRuns.isOfSeries(name)) {
        ColumnData column = file.column(group, i);
        columns.get(i).add(column, rows);
        if (name.equals(TIME)) {
          times.add(column);
        }
      }
    }
    count += rows;
  }

  /** Hands the rows over; all files must be of one partition. */
  public void drain(RowBuffer.Partitions partitions) {
    drain(series -> LeftOut.NONE, partitions);
  }

  /** How many rows are left out. */
  public int leftOut(LeftOut leftOut) {
    return count - keep(leftOut, new int[count], new long[count], new int[count]);
  }

  /**
   * Hands over the rows that are not left out.
   *
   * @return how many these are
   */
  public int drain(LeftOut leftOut, RowBuffer.Partitions partitions) {
    int[] series = new int[count];
    long[] time = new long[count];
    int[] place = new int[count];
    int kept = keep(leftOut, series, time, place);
    SortedRows.forEachPartition(
        kept,
        series,
        time,
        MICROS_PER_DAY,
        order,
        (bucket, day, rows, from, to) ->
            partitions.write(
                day,
                bucket,
                new Sorted(
                    new SeriesRuns(order, series, rows, from, to),
                    kept == count ? rows : places(place, rows, from, to),
                    from,
                    to)));
    return kept;
  }

  /** Fills in series, time and place of the rows that are not left out; returns how many. */
  private int keep(LeftOut leftOut, int[] series, long[] time, int[] place) {
    long[] before = new long[order.size()];
    for (int number = 0; number < before.length; number++) {
      before[number] = leftOut.before(order.get(number));
    }
    int kept = 0;
    int at = 0;
    for (int group = 0; group < times.size(); group++) {
      long[] values = ((ColumnData.Wholes) times.get(group)).values();
      for (int row = 0; row < values.length; row++) {
        int number = seriesOfGroups.get(group)[row];
        boolean isLeftOut = before[number] == LeftOut.ALL || values[row] < before[number];
        if (!isLeftOut) {
          time[kept] = values[row];
          series[kept] = number;
          place[kept++] = at;
        }
        at++;
      }
    }
    return kept;
  }

  private static int[] places(int[] place, int[] rows, int from, int to) {
    int[] places = new int[to];
    for (int i = from; i < to; i++) {
      places[i] = place[rows[i]];
    }
    return places;
  }

  private int numberOf(StoredSeries stored) {
    Integer known = numbers.get(stored.seriesId());
    if (known == null) {
      known = order.add(stored.series());
      numbers.put(stored.seriesId(), known);
    }
    return known;
  }

  private final class Sorted implements RowGroupSource {
    private final SeriesRuns runs;
    private final int[] rows;
    private final int from;
    private final int to;

    Sorted(SeriesRuns runs, int[] rows, int from, int to) {
      this.runs = runs;
      this.rows = rows;
      this.from = from;
      this.to = to;
    }

    @Override
    public int rows() {
      return to - from;
    }

    @Override
    public int[] stretches() {
      return runs.stretches();
    }

    @Override
    public ColumnData column(int i) {
      ColumnData ofSeries = runs.column(schema.columns().get(i).name());
      return ofSeries != null ? ofSeries : columns.get(i).inOrder(rows, from, to);
    }
  }
}
