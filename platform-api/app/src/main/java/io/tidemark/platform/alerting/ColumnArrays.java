package io.tidemark.platform.alerting;

import static io.tidemark.platform.alerting.StoredJson.JSON;

import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Columns of rows that one statement writes: an array each, for {@code unnest}. */
final class ColumnArrays {

  private ColumnArrays() {}

  static <T> @Nullable String[] texts(List<T> rows, Function<T, @Nullable String> value) {
    return rows.stream().map(value).toArray(String[]::new);
  }

  /** Null stays null. */
  static <T> @Nullable String[] times(List<T> rows, Function<T, @Nullable Instant> value) {
    return texts(
        rows,
        row -> {
          Instant time = value.apply(row);
          return time == null ? null : time.toString();
        });
  }

  static <T> @Nullable String[] json(List<T> rows, Function<T, Object> value) {
    return texts(rows, row -> JSON.writeValueAsString(value.apply(row)));
  }

  static <T> @Nullable Double[] numbers(List<T> rows, Function<T, @Nullable Double> value) {
    return rows.stream().map(value).toArray(Double[]::new);
  }

  static <T> Long[] integers(List<T> rows, Function<T, Long> value) {
    return rows.stream().map(value).toArray(Long[]::new);
  }

  static <T> Boolean[] flags(List<T> rows, Function<T, Boolean> value) {
    return rows.stream().map(value).toArray(Boolean[]::new);
  }
}
