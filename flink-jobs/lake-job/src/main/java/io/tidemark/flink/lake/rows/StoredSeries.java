package io.tidemark.flink.lake.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.lake.parquet.ColumnData;
import io.tidemark.flink.lake.parquet.SortedFileReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;

/** The series of a stored row group, one run after the other. */
final class StoredSeries {

  private final Map<String, Cursor> texts = new HashMap<>();
  private final Map<String, ColumnData.Maps> maps = new HashMap<>();
  private int row;

  StoredSeries(Schema schema, SortedFileReader file, int group) throws IOException {
    for (int i = 0; i < schema.columns().size(); i++) {
      Types.NestedField column = schema.columns().get(i);
      if (SeriesRuns.isOfSeries(column.name())) {
        ColumnData data = file.column(group, i);
        if (data instanceof ColumnData.Maps map) {
          maps.put(column.name(), map);
        } else {
          texts.put(column.name(), new Cursor((ColumnData.Texts) data));
        }
      }
    }
  }

  /** Rows only ahead. */
  void moveTo(int next) {
    row = next;
  }

  /** Where the series of this row ends. */
  int end() {
    Cursor id = cursor("series_id");
    return id.data.runs()[id.run];
  }

  String seriesId() {
    return text("series_id");
  }

  LakeSeries series() {
    return new LakeSeries(
        text("organization_id"),
        text("environment_id"),
        text("metric"),
        text("metric_type"),
        text("unit"),
        text("resource_type"),
        text("resource_id"),
        text("series_id"),
        map("resource_attributes"),
        map("point_attributes"));
  }

  private String text(String column) {
    Cursor cursor = cursor(column);
    while (cursor.data.runs()[cursor.run] <= row) {
      cursor.run++;
    }
    return new String(cursor.data.distinct()[cursor.data.ids()[cursor.run]], UTF_8);
  }

  private Map<String, String> map(String column) {
    ColumnData.Maps data = maps.get(column);
    if (data == null) {
      throw new IllegalStateException("The table has no column " + column);
    }
    Map<String, String> map = new HashMap<>();
    int[] keys = data.keyIds()[row];
    for (int i = 0; i < keys.length; i++) {
      map.put(
          new String(data.keys()[keys[i]], UTF_8),
          new String(data.values()[data.valueIds()[row][i]], UTF_8));
    }
    return map;
  }

  private Cursor cursor(String column) {
    Cursor cursor = texts.get(column);
    if (cursor == null) {
      throw new IllegalStateException("The table has no column " + column);
    }
    return cursor;
  }

  private static final class Cursor {
    private final ColumnData.Texts data;
    private int run;

    Cursor(ColumnData.Texts data) {
      this.data = data;
    }
  }
}
