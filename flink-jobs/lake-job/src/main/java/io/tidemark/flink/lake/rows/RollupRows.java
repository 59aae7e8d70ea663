package io.tidemark.flink.lake.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.flink.io.rows.RollupRecord;
import io.tidemark.flink.io.rows.RowScanner;
import io.tidemark.flink.io.rows.SeriesNames;
import io.tidemark.flink.lake.parquet.ColumnData;
import io.tidemark.flink.lake.parquet.RowGroupSource;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.iceberg.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a rollup table, from the records of its topic: newline-delimited JSON of the contract
 * events/rollup-row.schema.json. A line that is not such a row is skipped and counted; the platform
 * writes the topic itself, so the count is an alarm.
 */
public final class RollupRows implements RowBuffer<RollupRecord> {

  private static final long MILLIS_PER_DAY = 86_400_000L;
  private static final long MICROS_PER_MILLI = 1_000L;
  private static final JsonFactory JSON = new JsonFactory();
  private static final String RESOURCE = "resource.";
  private static final String LABEL = "metric.";

  private static final long NO_TIME = -1;
  private static final int FIRST_SIZE = 1_024;

  private final Schema schema;
  private final int capacity;
  private final SeriesOrder order;
  private final SeriesNames names = new SeriesNames();
  private final Map<String, Integer> numbers = new HashMap<>();
  // Many series have the same texts: each is held once.
  private final Map<String, String> texts = new HashMap<>();
  private final Map<Map<String, String>, Map<String, String>> resources = new HashMap<>();
  private final RowScanner scanner = new RowScanner();
  private final int maxSeries;
  private final Map<Integer, Long> offsets = new HashMap<>();
  private long skipped;
  private long taken;

  // One column each of the rows so far: an object for every row would be most of the cost.
  private int size;
  private int[] series = new int[FIRST_SIZE];
  private long[] timestamps = new long[FIRST_SIZE];
  private double[] sums = new double[FIRST_SIZE];
  private long[] counts = new long[FIRST_SIZE];
  private double[] least = new double[FIRST_SIZE];
  private double[] maxima = new double[FIRST_SIZE];
  private double[] last = new double[FIRST_SIZE];
  private long[] lastTimestamps = new long[FIRST_SIZE];
  private byte[][] panes = new byte[FIRST_SIZE][];
  private byte[] @Nullable [] distributions = new byte[FIRST_SIZE][];

  /**
   * @param tenantBuckets of the table
   * @param capacity rows after which the buffer is full
   */
  public RollupRows(Schema schema, int tenantBuckets, int capacity) {
    this.schema = schema;
    this.capacity = capacity;
    this.maxSeries = capacity;
    this.order = new SeriesOrder(tenantBuckets);
  }

  @Override
  public void add(RollupRecord record) {
    byte[] bundle = record.rows();
    offsets.put(record.partition(), record.offset() + 1);
    if (size == 0 && order.size() > maxSeries) {
      order.clear();
      numbers.clear();
      names.clear();
      texts.clear();
      resources.clear();
    }
    scanner.reset(bundle);
    while (scanner.next()) {
      if (!scanner.isPlain()) {
        line(bundle);
        continue;
      }
      int known = names.find(bundle, scanner.namesFrom(), scanner.namesLength());
      if (known == SeriesNames.UNKNOWN) {
        int row = size;
        line(bundle);
        if (size > row) {
          names.keep(series[row]);
        }
      } else {
        plain(known);
      }
    }
  }

  /** A row of a series that is known: no text is made of it. */
  private void plain(int known) {
    int row = newRow(known, scanner.timestamp(), scanner.count());
    sums[row] = scanner.sum();
    least[row] = scanner.min();
    maxima[row] = scanner.max();
    last[row] = scanner.last();
    lastTimestamps[row] = scanner.lastTimestamp();
    panes[row] = scanner.paneId();
    distributions[row] = scanner.hasDistribution() ? scanner.distribution() : null;
    taken++;
  }

  private void line(byte[] bundle) {
    try {
      new Line().read(bundle, scanner.from(), scanner.length());
      taken++;
    } catch (IOException | IllegalArgumentException e) {
      skipped++;
    }
  }

  private String shared(String text) {
    String known = texts.putIfAbsent(text, text);
    return known == null ? text : known;
  }

  private int newRow(int ofSeries, long timestamp, long count) {
    if (size == series.length) {
      grow(2 * size);
    }
    series[size] = ofSeries;
    timestamps[size] = timestamp;
    counts[size] = count;
    return size++;
  }

  private void grow(int length) {
    series = Arrays.copyOf(series, length);
    timestamps = Arrays.copyOf(timestamps, length);
    sums = Arrays.copyOf(sums, length);
    counts = Arrays.copyOf(counts, length);
    least = Arrays.copyOf(least, length);
    maxima = Arrays.copyOf(maxima, length);
    last = Arrays.copyOf(last, length);
    lastTimestamps = Arrays.copyOf(lastTimestamps, length);
    panes = Arrays.copyOf(panes, length);
    distributions = Arrays.copyOf(distributions, length);
  }

  @Override
  public boolean isEmpty() {
    return size == 0;
  }

  @Override
  public boolean isFull() {
    return size >= capacity;
  }

  @Override
  public void drain(Partitions partitions) {
    SortedRows.forEachPartition(
        size,
        series,
        timestamps,
        MILLIS_PER_DAY,
        order,
        (bucket, day, sorted, from, to) ->
            partitions.write(
                day,
                bucket,
                new Columns(new SeriesRuns(order, series, sorted, from, to), sorted, from, to)));
    Arrays.fill(panes, 0, size, null);
    Arrays.fill(distributions, 0, size, null);
    size = 0;
  }

  @Override
  public Tally takeTally() {
    Tally tally = new Tally(taken, skipped);
    taken = 0;
    skipped = 0;
    return tally;
  }

  @Override
  public Map<Integer, Long> takeOffsets() {
    Map<Integer, Long> taken = Map.copyOf(offsets);
    offsets.clear();
    return taken;
  }

  /** The members of one line, in any order. */
  private final class Line {
    private final Map<String, String> members = new HashMap<>();
    private final Map<String, Double> figures = new HashMap<>();
    private final Map<String, Long> wholes = new HashMap<>();

    void read(byte[] bundle, int from, int length) throws IOException {
      try (JsonParser in = JSON.createParser(bundle, from, length)) {
        if (in.nextToken() != JsonToken.START_OBJECT) {
          throw new IllegalArgumentException("Not an object");
        }
        while (in.nextToken() == JsonToken.FIELD_NAME) {
          String name = in.currentName();
          JsonToken token = in.nextToken();
          switch (token) {
            case VALUE_STRING -> members.put(name, in.getText());
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
      String pane = text("pane_id");
      long timestamp = whole("timestamp");
      long count = whole("count");
      int row = newRow(series(), timestamp, count);
      sums[row] = figure("sum");
      least[row] = figure("min");
      maxima[row] = figure("max");
      last[row] = figure("last");
      lastTimestamps[row] = wholes.getOrDefault("last_timestamp", NO_TIME);
      panes[row] = pane.getBytes(UTF_8);
      String distribution = members.get("distribution");
      distributions[row] = distribution == null ? null : distribution.getBytes(UTF_8);
    }

    private double figure(String name) {
      return figures.getOrDefault(name, Double.NaN);
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
      members.forEach(
          (name, value) -> {
            if (name.startsWith(LABEL)) {
              labels.put(shared(name.substring(LABEL.length())), shared(value));
            } else if (name.startsWith(RESOURCE) && !name.equals(idColumn)) {
              resource.put(shared(name.substring(RESOURCE.length())), shared(value));
            }
          });
      int number =
          order.add(
              new LakeSeries(
                  shared(text("organization_id")),
                  shared(text("environment_id")),
                  shared(text("metric")),
                  shared(text("metric_type")),
                  shared(text("unit")),
                  shared(text("resource_type")),
                  shared(text("resource_id")),
                  id,
                  resources.computeIfAbsent(Map.copyOf(resource), Function.identity()),
                  Map.copyOf(labels)));
      numbers.put(id, number);
      return number;
    }

    private String text(String name) {
      String value = members.get(name);
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
    private final int[] sorted;

    Columns(SeriesRuns runs, int[] order, int from, int to) {
      this.runs = runs;
      this.sorted = Arrays.copyOfRange(order, from, to);
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
        case "event_time" -> times(timestamps);
        case "sum" -> OptionalColumns.doubles(sums, sorted);
        case "count" -> OptionalColumns.wholes(counts, sorted);
        case "min" -> OptionalColumns.doubles(least, sorted);
        case "max" -> OptionalColumns.doubles(maxima, sorted);
        case "last" -> OptionalColumns.doubles(last, sorted);
        case "last_time" -> times(lastTimestamps);
        case "pane_id" -> OptionalColumns.uniqueTexts(panes, sorted);
        case "distribution" -> OptionalColumns.uniqueTexts(distributions, sorted);
        default ->
            throw new IllegalStateException(
                "The rollup table has the column "
                    + name
                    + ", which this version does not fill: migrate the table or the job");
      };
    }

    private ColumnData times(long[] millis) {
      return OptionalColumns.times(millis, MICROS_PER_MILLI, sorted);
    }
  }
}
