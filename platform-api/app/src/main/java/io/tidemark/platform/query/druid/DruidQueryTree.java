package io.tidemark.platform.query.druid;

import io.tidemark.platform.query.domain.Granularity;
import io.tidemark.platform.query.domain.LabelFilter;
import io.tidemark.platform.query.domain.LabelKey;
import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.query.domain.TimeInterval;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Builds native Druid queries as JSON trees. The only place where queries are made; each has the
 * filter for its organisation because there is no way to build one without.
 */
final class DruidQueryTree {

  /** Name of the aggregated value in the answer. */
  static final String VALUE = "value";

  /** Name of the number of stored rows in the answer; 0 says that a bucket is empty. */
  static final String ROWS = "rows";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String EPOCH = "1970-01-01T00:00:00.000Z";

  private final String datasource;
  private final Duration timeout;

  DruidQueryTree(String datasource, Duration timeout) {
    this.datasource = datasource;
    this.timeout = timeout;
  }

  /** Name of the column of the nth group_by label in the answer. */
  static String groupName(int position) {
    return "group" + position;
  }

  /** The native query for a plan of an organisation. */
  ObjectNode build(TenantId organization, MetricQuery query) {
    ObjectNode tree = JSON.objectNode();
    tree.put("queryType", query.groupBy().isEmpty() ? "timeseries" : "groupBy");
    tree.put("dataSource", datasource);
    ArrayNode intervals = tree.putArray("intervals");
    for (TimeInterval interval : query.intervals()) {
      intervals.add(interval.start() + "/" + interval.end());
    }
    tree.set("granularity", granularity(query.granularity()));
    tree.set("filter", filter(organization, query));
    ArrayNode aggregations = tree.putArray("aggregations");
    ArrayNode postAggregations = tree.putArray("postAggregations");
    aggregate(query, aggregations, postAggregations);
    aggregations.addObject().put("type", "count").put("name", ROWS);
    ObjectNode context = tree.putObject("context");
    context.put("timeout", timeout.toMillis());
    if (query.groupBy().isEmpty()) {
      context.put("skipEmptyBuckets", true);
    } else {
      group(query, tree);
      // Whole groups one after the other, so that a limit of rows cuts between groups only.
      context.put("sortByDimsFirst", true);
      context.put("applyLimitPushDown", false);
    }
    return tree;
  }

  private static void group(MetricQuery query, ObjectNode tree) {
    ArrayNode dimensions = tree.putArray("dimensions");
    List<LabelKey> labels = query.groupBy();
    for (int i = 0; i < labels.size(); i++) {
      dimensions
          .addObject()
          .put("type", "default")
          .put("dimension", labels.get(i).value())
          .put("outputName", groupName(i))
          .put("outputType", "STRING");
    }
    long rows = query.greatestGroups() * query.greatestBucketsOfGroup();
    tree.putObject("limitSpec")
        .put("type", "default")
        .put("limit", (int) Math.min(rows, Integer.MAX_VALUE))
        .putArray("columns");
  }

  private static ObjectNode granularity(Granularity granularity) {
    return granularity
        .width()
        .map(
            width ->
                JSON.objectNode()
                    .put("type", "duration")
                    .put("duration", width.toMillis())
                    .put("origin", EPOCH))
        .orElseGet(() -> JSON.objectNode().put("type", "all"));
  }

  private static ObjectNode filter(TenantId organization, MetricQuery query) {
    ObjectNode all = JSON.objectNode().put("type", "and");
    ArrayNode fields = all.putArray("fields");
    fields.add(equal("organization_id", organization.value()));
    fields.add(equal("metric", query.metric()));
    query.filter().ifPresent(filter -> fields.add(filter(filter)));
    return all;
  }

  private static ObjectNode filter(LabelFilter filter) {
    if (filter instanceof LabelFilter.Equal equal) {
      return equal(equal.label().value(), equal.value());
    } else if (filter instanceof LabelFilter.Every every) {
      ObjectNode all = JSON.objectNode().put("type", "and");
      ArrayNode fields = all.putArray("fields");
      every.filters().forEach(part -> fields.add(filter(part)));
      return all;
    }
    throw new IllegalStateException("Unknown filter " + filter);
  }

  private static ObjectNode equal(String column, String value) {
    return JSON.objectNode().put("type", "selector").put("dimension", column).put("value", value);
  }

  private static void aggregate(
      MetricQuery query, ArrayNode aggregations, ArrayNode postAggregations) {
    switch (query.function()) {
      case SUM -> aggregations.add(aggregator("doubleSum", VALUE, "sum"));
      case MIN -> aggregations.add(aggregator("doubleMin", VALUE, "min"));
      case MAX -> aggregations.add(aggregator("doubleMax", VALUE, "max"));
      case COUNT -> aggregations.add(aggregator("longSum", VALUE, "count"));
      case LAST -> aggregations.add(aggregator("doubleLast", VALUE, "last"));
      case AVG -> {
        aggregations.add(aggregator("doubleSum", "sum", "sum"));
        aggregations.add(aggregator("longSum", "count", "count"));
        ObjectNode quotient =
            postAggregations
                .addObject()
                .put("type", "arithmetic")
                .put("name", VALUE)
                .put("fn", "quotient");
        ArrayNode fields = quotient.putArray("fields");
        for (String field : List.of("sum", "count")) {
          fields.addObject().put("type", "fieldAccess").put("name", field).put("fieldName", field);
        }
      }
    }
  }

  private static ObjectNode aggregator(String type, String name, String field) {
    return JSON.objectNode().put("type", type).put("name", name).put("fieldName", field);
  }
}
