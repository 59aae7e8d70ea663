package io.tidemark.flink.replay;

import io.tidemark.flink.replay.RawPoint.Histogram;
import io.tidemark.flink.replay.RawPoint.Numbers;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Points of a tenant out of the lake's files, batch by batch, in the order of their receipt. */
final class RawPoints {

  private static final String COLUMNS =
      """
      select environment_id, metric, metric_type, unit, resource_attributes, point_attributes,
        temporality,
        coalesce(epoch_us(start_time) * 1000 + coalesce(start_time_nanos, 0), 0) as start_ns,
        epoch_us(event_time) * 1000 + coalesce(event_time_nanos, 0) as time_ns,
        coalesce(flags, 0) as flags, value, coalesce(is_int, false) as is_int, value_int,
        count, sum, min, max, bucket_counts, explicit_bounds, scale, zero_count, zero_threshold,
        positive_offset, positive_counts, negative_offset, negative_counts, quantiles,
        quantile_values, epoch_ms(received_at) as received_ms, batch_id, source_partition,
        source_offset, point_index
      from read_parquet(%s, union_by_name = true)
      where organization_id = %s and epoch_us(event_time) >= %d and epoch_us(event_time) < %d
      order by received_ms, source_partition, source_offset, point_index
      """;

  private RawPoints() {}

  /**
   * @param files what {@link LakeFiles} planned
   * @param batches gets the points of one batch after the other
   */
  static void read(
      List<String> files,
      String tenant,
      Instant from,
      Instant to,
      Path overflow,
      Consumer<List<RawPoint>> batches)
      throws SQLException {
    if (files.isEmpty()) {
      return;
    }
    String query =
        COLUMNS.formatted(
            DuckDbSession.texts(files), DuckDbSession.text(tenant), micros(from), micros(to));
    try (Connection connection = DuckDbSession.open(overflow);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      List<RawPoint> batch = new ArrayList<>();
      while (rows.next()) {
        RawPoint point = point(rows);
        if (!batch.isEmpty() && !batch.get(0).isOfBatch(point)) {
          batches.accept(batch);
          batch = new ArrayList<>();
        }
        batch.add(point);
      }
      if (!batch.isEmpty()) {
        batches.accept(batch);
      }
    }
  }

  private static RawPoint point(ResultSet row) throws SQLException {
    Long count = whole(row, "count");
    return new RawPoint(
        row.getString("environment_id"),
        row.getString("metric"),
        row.getString("metric_type"),
        row.getString("unit"),
        labels(row, "resource_attributes"),
        labels(row, "point_attributes"),
        row.getString("temporality"),
        row.getLong("start_ns"),
        row.getLong("time_ns"),
        row.getInt("flags"),
        count != null
            ? Numbers.NONE
            : new Numbers(number(row, "value"), row.getBoolean("is_int"), whole(row, "value_int")),
        count != null ? histogram(row, count) : Histogram.NONE,
        row.getLong("received_ms"),
        row.getString("batch_id"),
        row.getInt("source_partition"),
        row.getLong("source_offset"),
        row.getInt("point_index"));
  }

  private static Histogram histogram(ResultSet row, Long count) throws SQLException {
    return new Histogram(
        count,
        number(row, "sum"),
        number(row, "min"),
        number(row, "max"),
        wholes(row, "bucket_counts"),
        numbers(row, "explicit_bounds"),
        small(row, "scale"),
        whole(row, "zero_count"),
        number(row, "zero_threshold"),
        small(row, "positive_offset"),
        wholes(row, "positive_counts"),
        small(row, "negative_offset"),
        wholes(row, "negative_counts"),
        numbers(row, "quantiles"),
        numbers(row, "quantile_values"));
  }

  private static Map<String, String> labels(ResultSet row, String column) throws SQLException {
    Map<String, String> labels = new TreeMap<>();
    if (row.getObject(column) instanceof Map<?, ?> map) {
      map.forEach((key, value) -> labels.put(String.valueOf(key), String.valueOf(value)));
    }
    return labels;
  }

  private static @Nullable Double number(ResultSet row, String column) throws SQLException {
    double number = row.getDouble(column);
    return row.wasNull() ? null : number;
  }

  private static @Nullable Long whole(ResultSet row, String column) throws SQLException {
    long number = row.getLong(column);
    return row.wasNull() ? null : number;
  }

  private static @Nullable Integer small(ResultSet row, String column) throws SQLException {
    int number = row.getInt(column);
    return row.wasNull() ? null : number;
  }

  private static @Nullable List<Long> wholes(ResultSet row, String column) throws SQLException {
    Array array = row.getArray(column);
    if (row.wasNull() || array == null) {
      return null;
    }
    List<Long> wholes = new ArrayList<>();
    for (Object element : (Object[]) array.getArray()) {
      wholes.add(((Number) element).longValue());
    }
    return wholes;
  }

  private static @Nullable List<Double> numbers(ResultSet row, String column) throws SQLException {
    Array array = row.getArray(column);
    if (row.wasNull() || array == null) {
      return null;
    }
    List<Double> numbers = new ArrayList<>();
    for (Object element : (Object[]) array.getArray()) {
      numbers.add(((Number) element).doubleValue());
    }
    return numbers;
  }

  static long micros(Instant instant) {
    return instant.getEpochSecond() * 1_000_000L + instant.getNano() / 1_000;
  }
}
