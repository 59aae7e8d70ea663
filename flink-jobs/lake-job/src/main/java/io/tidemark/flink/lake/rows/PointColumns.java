package io.tidemark.flink.lake.rows;

import io.tidemark.flink.io.points.decode.SentObservations;
import io.tidemark.flink.io.points.decode.SentPoint.Temporality;
import io.tidemark.flink.lake.parquet.ColumnData;
import io.tidemark.flink.lake.parquet.RowGroupSource;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import org.apache.iceberg.Schema;
import org.jspecify.annotations.Nullable;

/** Sorted rows of {@code raw_points} as columns. */
final class PointColumns implements RowGroupSource {

  private static final long NANOS_PER_MICRO = 1_000L;
  private static final long MICROS_PER_MILLI = 1_000L;
  private static final long EXACT = 1L << 53;
  private static final Temporality[] TEMPORALITIES = Temporality.values();

  private final Schema schema;
  private final PointRows points;
  private final SeriesRuns runs;
  private final int[] rows;
  private final int from;
  private final int to;
  private final boolean hasObservations;

  PointColumns(Schema schema, PointRows points, SeriesRuns runs, int[] rows, int from, int to) {
    this.schema = schema;
    this.points = points;
    this.runs = runs;
    this.rows = rows;
    this.from = from;
    this.to = to;
    boolean found = false;
    if (points.observations != null) {
      for (int i = from; i < to && !found; i++) {
        found = points.observations[rows[i]] != null;
      }
    }
    this.hasObservations = found;
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
    String name = schema.columns().get(i).name();
    ColumnData ofSeries = runs.column(name);
    if (ofSeries != null) {
      return ofSeries;
    }
    return switch (name) {
      case "event_time" -> wholes(row -> Math.floorDiv(points.times[row], NANOS_PER_MICRO));
      case "event_time_nanos" -> wholes(row -> Math.floorMod(points.times[row], NANOS_PER_MICRO));
      case "start_time" -> starts(start -> Math.floorDiv(start, NANOS_PER_MICRO));
      case "start_time_nanos" -> starts(start -> Math.floorMod(start, NANOS_PER_MICRO));
      case "temporality" -> temporalities();
      case "flags" -> wholes(row -> points.flags[row]);
      case "is_int" -> ints();
      case "value" -> values();
      case "value_int" -> inexact();
      case "received_at" -> wholes(row -> batch(row).receivedAtUnixMs() * MICROS_PER_MILLI);
      case "batch_id" -> batchIds();
      case "source_partition" -> wholes(row -> batch(row).partition());
      case "source_offset" -> wholes(row -> batch(row).offset());
      case "point_index" -> wholes(row -> points.indexes[row]);
      default -> hasObservations ? observed(name) : new ColumnData.Absent();
    };
  }

  private ColumnData observed(String name) {
    return switch (name) {
      case "count" -> longs(SentObservations::count);
      case "sum" -> doubles(SentObservations::sum);
      case "min" -> doubles(SentObservations::min);
      case "max" -> doubles(SentObservations::max);
      case "bucket_counts" -> wholeLists(SentObservations::bucketCounts);
      case "explicit_bounds" -> doubleLists(SentObservations::explicitBounds);
      case "scale" -> longs(exponential(e -> (long) e.scale()));
      case "zero_count" -> longs(exponential(SentObservations.Exponential::zeroCount));
      case "zero_threshold" -> doubles(exponential(SentObservations.Exponential::zeroThreshold));
      case "positive_offset" -> longs(exponential(e -> (long) e.positiveOffset()));
      case "positive_counts" ->
          wholeLists(exponential(SentObservations.Exponential::positiveCounts));
      case "negative_offset" -> longs(exponential(e -> (long) e.negativeOffset()));
      case "negative_counts" ->
          wholeLists(exponential(SentObservations.Exponential::negativeCounts));
      case "quantiles" -> doubleLists(SentObservations::quantiles);
      case "quantile_values" -> doubleLists(SentObservations::quantileValues);
      default ->
          throw new IllegalStateException(
              "raw_points has the column "
                  + name
                  + ", which this version does not fill: migrate the table or the job");
    };
  }

  private static <T> Function<SentObservations, @Nullable T> exponential(
      Function<SentObservations.Exponential, T> part) {
    return observations -> {
      SentObservations.Exponential exponential = observations.exponential();
      return exponential == null ? null : part.apply(exponential);
    };
  }

  private PointRows.Batch batch(int row) {
    return points.batches.get(points.batchOfRow[row]);
  }

  private @Nullable SentObservations observations(int i) {
    return Objects.requireNonNull(points.observations)[rows[i]];
  }

  /** A value of one row. */
  private interface WholeOfRow {
    long of(int row);
  }

  private ColumnData wholes(WholeOfRow column) {
    long[] values = new long[rows()];
    for (int i = from; i < to; i++) {
      values[i - from] = column.of(rows[i]);
    }
    return new ColumnData.Wholes(values, null);
  }

  /** OTLP says 0 for "not known". */
  private ColumnData starts(LongUnaryOperator part) {
    long[] values = new long[rows()];
    boolean[] present = new boolean[values.length];
    int count = 0;
    for (int i = 0; i < values.length; i++) {
      long start = points.starts[rows[from + i]];
      if (start != 0) {
        values[i] = part.applyAsLong(start);
        present[i] = true;
        count++;
      }
    }
    return wholes(values, present, count);
  }

  private static ColumnData wholes(long[] values, boolean[] present, int count) {
    if (count == 0) {
      return new ColumnData.Absent();
    }
    return new ColumnData.Wholes(values, count == values.length ? null : present);
  }

  private ColumnData temporalities() {
    TextRuns texts = new TextRuns();
    int end = from;
    while (end < to) {
      byte temporality = points.temporalities[rows[end]];
      while (end < to && points.temporalities[rows[end]] == temporality) {
        end++;
      }
      texts.add(TEMPORALITIES[temporality].wireName(), end - from);
    }
    return texts.take();
  }

  private ColumnData batchIds() {
    TextRuns texts = new TextRuns();
    int end = from;
    while (end < to) {
      int batch = points.batchOfRow[rows[end]];
      while (end < to && points.batchOfRow[rows[end]] == batch) {
        end++;
      }
      texts.add(points.batches.get(batch).batchId(), end - from);
    }
    return texts.take();
  }

  private ColumnData ints() {
    boolean[] values = new boolean[rows()];
    for (int i = 0; i < values.length; i++) {
      values[i] = points.ints[rows[from + i]];
    }
    return new ColumnData.Booleans(values);
  }

  private ColumnData values() {
    double[] values = new double[rows()];
    boolean[] present = hasObservations ? new boolean[values.length] : null;
    int count = 0;
    for (int i = 0; i < values.length; i++) {
      int row = rows[from + i];
      long bits = points.bits[row];
      values[i] = points.ints[row] ? (double) bits : Double.longBitsToDouble(bits);
      if (present != null && observations(from + i) == null) {
        present[i] = true;
        count++;
      }
    }
    if (present != null && count == 0) {
      return new ColumnData.Absent();
    }
    return new ColumnData.Doubles(values, present);
  }

  /** Integers that a double does not hold. */
  private ColumnData inexact() {
    long[] values = new long[rows()];
    boolean[] present = new boolean[values.length];
    int count = 0;
    for (int i = 0; i < values.length; i++) {
      int row = rows[from + i];
      long bits = points.bits[row];
      if (points.ints[row] && (bits > EXACT || bits < -EXACT)) {
        values[i] = bits;
        present[i] = true;
        count++;
      }
    }
    return wholes(values, present, count);
  }

  private @Nullable SentObservations[] observed() {
    @Nullable SentObservations[] many = new SentObservations[rows()];
    for (int i = 0; i < many.length; i++) {
      many[i] = observations(from + i);
    }
    return many;
  }

  private ColumnData longs(Function<SentObservations, @Nullable Long> part) {
    return OptionalColumns.wholes(observed(), many -> many == null ? null : part.apply(many));
  }

  private ColumnData doubles(Function<SentObservations, @Nullable Double> part) {
    return OptionalColumns.doubles(observed(), many -> many == null ? null : part.apply(many));
  }

  private ColumnData wholeLists(Function<SentObservations, long @Nullable []> part) {
    long[] @Nullable [] values = new long[rows()][];
    boolean found = false;
    for (int i = 0; i < values.length; i++) {
      SentObservations many = observations(from + i);
      values[i] = many == null ? null : part.apply(many);
      found |= values[i] != null;
    }
    return found ? new ColumnData.WholeLists(values) : new ColumnData.Absent();
  }

  private ColumnData doubleLists(Function<SentObservations, double @Nullable []> part) {
    double[] @Nullable [] values = new double[rows()][];
    boolean found = false;
    for (int i = 0; i < values.length; i++) {
      SentObservations many = observations(from + i);
      values[i] = many == null ? null : part.apply(many);
      found |= values[i] != null;
    }
    return found ? new ColumnData.DoubleLists(values) : new ColumnData.Absent();
  }
}
