package io.tidemark.flink.lake.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.lake.parquet.ColumnData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The series of sorted rows, one after the other, and the columns that depend on nothing else. */
final class SeriesRuns {

  private static final int SHORTEST_STRETCH = 4_096;

  private final List<LakeSeries> series = new ArrayList<>();
  private int[] ends = new int[256];

  SeriesRuns(SeriesOrder order, int[] seriesOfRow, int[] rows, int from, int to) {
    int last = -1;
    for (int i = from; i < to; i++) {
      int number = seriesOfRow[rows[i]];
      if (number != last) {
        if (series.size() == ends.length) {
          ends = Arrays.copyOf(ends, ends.length * 2);
        }
        series.add(order.get(number));
        last = number;
      }
      ends[series.size() - 1] = i - from + 1;
    }
  }

  /** Ends of the rows of every metric; small metrics together. */
  int[] stretches() {
    int[] found = new int[series.size()];
    int count = 0;
    int begin = 0;
    for (int i = 0; i < series.size(); i++) {
      boolean isLast = i + 1 == series.size();
      boolean isEnd = isLast || !series.get(i).metric().equals(series.get(i + 1).metric());
      if (isLast || (isEnd && ends[i] - begin >= SHORTEST_STRETCH)) {
        found[count++] = ends[i];
        begin = ends[i];
      }
    }
    return Arrays.copyOf(found, count);
  }

  private static final Set<String> COLUMNS =
      Set.of(
          "organization_id",
          "environment_id",
          "metric",
          "metric_type",
          "unit",
          "resource_type",
          "resource_id",
          "series_id",
          "resource_attributes",
          "point_attributes");

  /** Whether {@link #column} knows it. */
  static boolean isOfSeries(String column) {
    return COLUMNS.contains(column);
  }

  /** Null for columns that differ within a series. */
  @Nullable ColumnData column(String name) {
    return switch (name) {
      case "organization_id" -> texts(LakeSeries::organizationId);
      case "environment_id" -> texts(LakeSeries::environmentId);
      case "metric" -> texts(LakeSeries::metric);
      case "metric_type" -> texts(LakeSeries::metricType);
      case "unit" -> texts(LakeSeries::unit);
      case "resource_type" -> texts(LakeSeries::resourceType);
      case "resource_id" -> texts(LakeSeries::resourceId);
      case "series_id" -> texts(LakeSeries::seriesId);
      case "resource_attributes" -> maps(LakeSeries::resource);
      case "point_attributes" -> maps(LakeSeries::attributes);
      default -> null;
    };
  }

  private ColumnData texts(Function<LakeSeries, String> column) {
    TextRuns runs = new TextRuns();
    for (int i = 0; i < series.size(); i++) {
      runs.add(column.apply(series.get(i)), ends[i]);
    }
    return runs.take();
  }

  private ColumnData maps(Function<LakeSeries, Map<String, String>> column) {
    Map<Map<String, String>, Integer> known = new HashMap<>();
    List<int[]> keyIds = new ArrayList<>();
    List<int[]> valueIds = new ArrayList<>();
    Distinct keys = new Distinct();
    Distinct values = new Distinct();
    int[] ids = new int[series.size()];
    Map<String, String> last = null;
    for (int i = 0; i < ids.length; i++) {
      Map<String, String> map = column.apply(series.get(i));
      if (map == last) {
        ids[i] = ids[i - 1];
        continue;
      }
      last = map;
      Integer found = known.putIfAbsent(map, keyIds.size());
      if (found != null) {
        ids[i] = found;
        continue;
      }
      ids[i] = keyIds.size();
      int[] ofKeys = new int[map.size()];
      int[] ofValues = new int[map.size()];
      int at = 0;
      for (Map.Entry<String, String> entry : new TreeMap<>(map).entrySet()) {
        ofKeys[at] = keys.idOf(entry.getKey());
        ofValues[at++] = values.idOf(entry.getValue());
      }
      keyIds.add(ofKeys);
      valueIds.add(ofValues);
    }
    return new ColumnData.Maps(
        ids,
        Arrays.copyOf(ends, ids.length),
        keyIds.toArray(new int[0][]),
        valueIds.toArray(new int[0][]),
        keys.utf8(),
        values.utf8());
  }

  private static final class Distinct {
    private final Map<String, Integer> known = new HashMap<>();
    private final List<byte[]> texts = new ArrayList<>();

    int idOf(String text) {
      Integer found = known.putIfAbsent(text, texts.size());
      if (found != null) {
        return found;
      }
      texts.add(text.getBytes(UTF_8));
      return texts.size() - 1;
    }

    byte[][] utf8() {
      return texts.toArray(new byte[0][]);
    }
  }
}
