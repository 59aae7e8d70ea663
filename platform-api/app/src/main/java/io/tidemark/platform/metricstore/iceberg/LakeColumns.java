package io.tidemark.platform.metricstore.iceberg;

import io.tidemark.platform.metricstore.AggregateColumn;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.StoreQuery.Shape;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which columns a question reads.
 *
 * @param figures that are added up
 * @param ofResource whether a label of the resource groups or filters
 * @param ofPoint whether a label of the point does
 */
record LakeColumns(Set<AggregateColumn> figures, boolean ofResource, boolean ofPoint) {

  static LakeColumns of(StoreQuery query) {
    Set<LabelKey> labels = new LinkedHashSet<>(query.groupBy());
    query.filter().ifPresent(filter -> filter.collect(labels));
    Set<AggregateColumn> figures = EnumSet.noneOf(AggregateColumn.class);
    if (query.shape() instanceof Shape.SeriesFirst first) {
      figures.addAll(AggregateColumn.of(first.function()));
    } else {
      figures.addAll(query.figures());
    }
    return new LakeColumns(
        figures,
        labels.stream().anyMatch(label -> label.value().startsWith("resource.")),
        labels.stream().anyMatch(label -> label.value().startsWith("metric.")));
  }

  Set<String> names() {
    Set<String> names =
        new LinkedHashSet<>(
            List.of("event_time", "organization_id", "environment_id", "metric", "series_id"));
    if (ofResource) {
      names.addAll(List.of("resource_type", "resource_id", "resource_attributes"));
    }
    if (ofPoint) {
      names.add("point_attributes");
    }
    for (AggregateColumn figure : figures) {
      switch (figure) {
        case SUM -> names.add("sum");
        case COUNT -> names.add("count");
        case MIN -> names.add("min");
        case MAX -> names.add("max");
        case LAST -> names.addAll(List.of("last", "last_time"));
        case DISTRIBUTION -> names.add("distribution");
      }
    }
    return names;
  }
}
