package io.tidemark.flink.lake.rows;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.flink.lake.parquet.ColumnData;
import io.tidemark.flink.lake.parquet.RowGroupSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a rollup table, from the record values of its topic: newline-delimited JSON of the
 * contract events/rollup-row.schema.json. A line that is not such a row is skipped and counted; the
 * platform writes the topic itself, so the count is an alarm.
 */
public final class RollupRows implements RowBuffer<byte[]> {

  private static final long MILLIS_PER_DAY = 86_400_000L;
  private static final long MICROS_PER_MILLI = 1_000L;
  private static final JsonFactory JSON = new JsonFactory();
  private static final String RESOURCE = "resource.";
  private static final String LABEL = "metric.";

  private final Schema schema;
  private final int capacity;
  private final SeriesOrder order;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final int mostSeries;
  private long skipped;
  private long taken;

  private final List<RollupRow> rows = new ArrayList<>();

  /** One row, beside what its series has. */
  private record RollupRow(
      int series,
      long timestamp,
      @Nullable Double sum,
      long count,
      @Nullable Double min,
      @Nullable Double max,
      @Nullable Double last,
      @Nullable Long lastTimestamp,
      String paneId,
      @Nullable String distribution) {}

  /**
   * @param tenantBuckets of the table
   * @param capacity rows after which the buffer is full
   */
  public RollupRows(Schema schema, int tenantBuckets, int capacity) {
    this.schema = schema;
    this.capacity = capacity;
    this.mostSeries = capacity;
    this.order = new SeriesOrder(tenantBuckets);
  }

  @Override
  public void add(byte[] bundle) {
    if (rows.isEmpty() && order.size() > mostSeries) {
      order.clear();
      numbers.clear();
    }
    int from = 0;
    while (from < bundle.length) {
      int to = from;
      while (to < bundle.length && bundle[to] != '\n') {
        to++;
      }
      if (to > from) {
        line(bundle, from, to - from);
      }
      from = to + 1;
    }
  }

  private void line(byte[] bundle, int from, int length) {
    try {
      rows.add(new Line().read(bundle, from, length));
      taken++;
    } catch (IOException | IllegalArgumentException e) {
      skipped++;
    }
  }

  @Override
  public boolean isEmpty() {
    return rows.isEmpty();
  }

  @Override
  public boolean isFull() {
    return rows.size() >= capacity;
  }

  @Override
  public void drain(Partitions partitions) {
    int count = rows.size();
    int[] series = new int[count];
    long[] times = new long[count];
    for (int i = 0; i < count; i++) {
      series[i] = rows.get(i).series();
      times[i] = rows.get(i).timestamp();
    }
    SortedRows.forEachPartition(
        count,
        series,
        times,
        MILLIS_PER_DAY,
        order,
        (bucket, day, sorted, from, to) ->
            partitions.write(
                day,
                bucket,
                new Columns(new SeriesRuns(order, series, sorted, from, to), sorted, from, to)));
    rows.clear();
  }

  @Override
  public Tally takeTally() {
    Tally tally = new Tally(taken, skipped);
    taken = 0;
    skipped = 0;
    return tally;
  }

  /** The members of one line. */
  private final class Line {
    private final Map<String, String> texts = new HashMap<>();
    private final Map<String, Double> figures = new HashMap<>();
    private final Map<String, Long> wholes = new HashMap<>();

    RollupRow read(byte[] bundle, int from, int length) throws IOException {
      try (JsonParser in = JSON.createParser(bundle, from, length)) {
        if (in.nextToken() != JsonToken.START_OBJECT) {
          throw new IllegalArgumentException("Not an object");
        }
        while (in.nextToken() == JsonToken.FIELD_NAME) {
          String name = in.currentName();
          JsonToken token = in.nextToken();
          switch (token) {
            case VALUE_STRING -> texts.put(name, in.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(name, in);
            case VALUE_NULL -> {
              // As if it were not there.
            }
            default -> throw new IllegalArgumentException("Member " + name);
          }
        }
        if (in.currentToken() != JsonToken.END_OBJECT || in.nextToken() != null) {
          throw new IllegalArgumentException("More than one object");
        }
      }
      return new RollupRow(
          series(),
          whole("timestamp"),
          figures.get("sum"),
          whole("count"),
          figures.get("min"),
          figures.get("max"),
          figures.get("last"),
          wholes.get("last_timestamp"),
          text("pane_id"),
          texts.get("distribution"));
    }

    private void number(String name, JsonParser in) throws IOException {
      switch (name) {
        case "timestamp", "count", "last_timestamp" -> wholes.put(name, in.getLongValue());
        default -> figures.put(name, in.getDoubleValue());
      }
    }

    private int series() {
      String id = text("series_id");
      Integer known = numbers.get(id);
      if (known != null) {
        return known;
      }
      Map<String, String> resource = new HashMap<>();
      Map<String, String> labels = new HashMap<>();
      String idColumn = RESOURCE + text("resource_type") + ".id";
      texts.forEach(
          (name, value) -> {
            if (name.startsWith(LABEL)) {
              labels.put(name.substring(LABEL.length()), value);
            } else if (name.startsWith(RESOURCE) && !name.equals(idColumn)) {
              resource.put(name.substring(RESOURCE.length()), value);
            }
          });
      int number =
          order.add(
              new LakeSeries(
                  text("organization_id"),
                  text("environment_id"),
                  text("metric"),
                  text("metric_type"),
                  text("unit"),
                  text("resource_type"),
                  text("resource_id"),
                  id,
                  Map.copyOf(resource),
                  Map.copyOf(labels)));
      numbers.put(id, number);
      return number;
    }

    private String text(String name) {
      String value = texts.get(name);
      if (value == null) {
        throw new IllegalArgumentException("Member " + name);
      }
      return value;
    }

    private long whole(String name) {
      Long value = wholes.get(name);
      if (value == null) {
        throw new IllegalArgumentException("Member " + name);
      }
      return value;
    }
  }

  /** Sorted rows as columns. */
  private final class Columns implements RowGroupSource {
    private final SeriesRuns runs;
    private final RollupRow[] sorted;

    Columns(SeriesRuns runs, int[] order, int from, int to) {
      this.runs = runs;
      this.sorted = new RollupRow[to - from];
      for (int i = from; i < to; i++) {
        sorted[i - from] = rows.get(order[i]);
      }
    }

    @Override
    public int rows() {
      return sorted.length;
    }

    @Override
    public int[] stretches() {
      return runs.stretches();
    }

    @Override
    public ColumnData column(int i) {
      String name = schema.columns().get(i).name();
      ColumnData ofSeries = runs.column(name);
      if (ofSeries != null) {
        return ofSeries;
      }
      return switch (name) {
        case "event_time" ->
            OptionalColumns.wholes(sorted, row -> row.timestamp * MICROS_PER_MILLI);
        case "sum" -> OptionalColumns.doubles(sorted, RollupRow::sum);
        case "count" -> OptionalColumns.wholes(sorted, RollupRow::count);
        case "min" -> OptionalColumns.doubles(sorted, RollupRow::min);
        case "max" -> OptionalColumns.doubles(sorted, RollupRow::max);
        case "last" -> OptionalColumns.doubles(sorted, RollupRow::last);
        case "last_time" ->
            OptionalColumns.wholes(
                sorted,
                row -> row.lastTimestamp == null ? null : row.lastTimestamp * MICROS_PER_MILLI);
        case "pane_id" -> OptionalColumns.uniqueTexts(sorted, RollupRow::paneId);
        case "distribution" -> OptionalColumns.uniqueTexts(sorted, RollupRow::distribution);
        default ->
            throw new IllegalStateException(
                "The rollup table has the column "
                    + name
                    + ", which this version does not fill: migrate the table or the job");
      };
    }
  }
}
