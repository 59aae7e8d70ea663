package io.tidemark.platform.metricstore.iceberg;

import io.tidemark.platform.metricstore.AggregateColumn;
import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.Distribution;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.VisibleRows;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.data.Record;
import org.jspecify.annotations.Nullable;

/**
 * Takes rows of a table one by one. Rows of a series stand together in a file, so what depends on
 * the series alone is decided once for all of them.
 */
final class LakeRowReader {

  private final StoreQuery query;
  private final LakeColumns columns;
  private final VisibleRows.From shown;
  private final LakeGroups groups;

  private @Nullable String series;
  private @Nullable String environment;
  private boolean isMeant;
  private long shownFrom;
  private List<@Nullable String> labels = List.of();

  LakeRowReader(StoreQuery query, LakeColumns columns, VisibleRows.From shown, LakeGroups groups) {
    this.query = query;
    this.columns = columns;
    this.shown = shown;
    this.groups = groups;
  }

  void take(Record row) {
    String id = (String) row.getField("series_id");
    String where = (String) row.getField("environment_id");
    if (!id.equals(series) || !where.equals(environment)) {
      series = id;
      environment = where;
      begin(row, where);
    }
    if (!isMeant) {
      return;
    }
    long window = millis(row, "event_time");
    if (window < shownFrom || !groups.wants(labels)) {
      return;
    }
    groups.place(labels, window, id).add(figures(row));
  }

  private void begin(Record row, String where) {
    shownFrom = shown.of(where, (String) row.getField("metric"));
    Map<String, String> all = new HashMap<>();
    all.put(LabelKey.ENVIRONMENT.value(), where);
    if (columns.ofResource()) {
      attributes(row, "resource_attributes", "resource.", all);
      all.put(
          "resource." + row.getField("resource_type") + ".id",
          (String) row.getField("resource_id"));
    }
    if (columns.ofPoint()) {
      attributes(row, "point_attributes", "metric.", all);
    }
    isMeant = query.filter().map(filter -> filter.matches(all)).orElse(true);
    labels = new ArrayList<>();
    query.groupBy().forEach(key -> labels.add(all.get(key.value())));
  }

  private static void attributes(
      Record row, String column, String prefix, Map<String, String> labels) {
    if (row.getField(column) instanceof Map<?, ?> attributes) {
      attributes.forEach((name, value) -> labels.put(prefix + name, String.valueOf(value)));
    }
  }

  private AggregateState figures(Record row) {
    AggregateState figures = new AggregateState();
    for (AggregateColumn figure : columns.figures()) {
      switch (figure) {
        case SUM -> figures.sum = number(row, "sum");
        case COUNT -> figures.count = (Long) row.getField("count");
        case MIN -> figures.min = number(row, "min");
        case MAX -> figures.max = number(row, "max");
        case LAST -> {
          figures.last = number(row, "last");
          if (!Double.isNaN(figures.last)) {
            figures.lastAt = millis(row, "last_time");
          }
        }
        case DISTRIBUTION -> {
          if (row.getField("distribution") instanceof String text) {
            figures.distribution = new Distribution();
            figures.distribution.add(text, 1);
          }
        }
      }
    }
    return figures;
  }

  private static double number(Record row, String column) {
    return row.getField(column) instanceof Double value ? value : Double.NaN;
  }

  private static long millis(Record row, String column) {
    return ((OffsetDateTime) row.getField(column)).toInstant().toEpochMilli();
  }
}
