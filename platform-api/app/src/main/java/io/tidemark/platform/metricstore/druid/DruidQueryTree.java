package io.tidemark.platform.metricstore.druid;

import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.metricstore.AggregateColumn;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.ScanSpec;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.StoreQuery.Shape;
import io.tidemark.platform.metricstore.TimeFunction;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Builds native Druid queries as JSON trees. The only place where queries are made; each has the
 * filter for its organisation because there is no way to build one without.
 */
final class DruidQueryTree {

  /** Name of a bucket's start in the answer. */
  static final String TIME = "timestamp";

  /** Name of the number of stored rows in the answer; 0 says that a bucket is empty. */
  static final String ROWS = "rows";

  /** Name of the number of panes in the answer, which a distribution counts for. */
  static final String PANES = "panes";

  private static final String GROUP = "group";

  static final String SERIES = "series_id";
  static final String DISTRIBUTION = "distribution";

  /** The one value of a series, between the inner and the outer query. */
  private static final String VALUE = "v";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String EPOCH = "1970-01-01T00:00:00.000Z";
  private static final String ALL_TIME = "1900-01-01T00:00:00.000Z/2300-01-01T00:00:00.000Z";

  private final Duration timeout;
  private final HiddenFilter hidden;
  private final TenantDatasources datasources;

  DruidQueryTree(Duration timeout, HiddenFilter hidden, DatasourcePlacements placements) {
    this.timeout = timeout;
    this.hidden = hidden;
    this.datasources = new TenantDatasources(placements);
  }

  /** The datasources with an organisation's windows of some stretches of time. */
  List<String> datasources(TenantId organization, Source source, IntervalSet spans) {
    return datasources.of(organization, source, spans);
  }

  /** Names what a query of an organisation reads, and of which time. */
  void read(ObjectNode tree, TenantId organization, Source source, IntervalSet spans) {
    TenantDatasources.read(tree, datasources(organization, source, spans));
    intervals(tree, spans);
  }

  /** What every query has to fulfil: the organisation's rows, and of those what may be shown. */
  ObjectNode fence(TenantId organization, Source source) {
    ObjectNode all = DruidFilters.ofOrganization(organization);
    hidden.of(organization, source).ifPresent(filter -> DruidFilters.add(all, filter));
    return all;
  }

  /** Name of the column of the nth group_by label in the answer. */
  static String groupName(int position) {
    return GROUP + position;
  }

  /** The reverse of {@link #groupName}; negative for another name. */
  static int groupPlace(String name) {
    int place = name.startsWith(GROUP) && name.length() <= GROUP.length() + 2 ? 0 : -1;
    for (int i = GROUP.length(); place >= 0 && i < name.length(); i++) {
      int digit = name.charAt(i) - '0';
      place = digit >= 0 && digit <= 9 ? 10 * place + digit : -1;
    }
    return name.length() == GROUP.length() ? -1 : place;
  }

  /** The values of a row that is an array: as {@link #build} names them, in its order. */
  static List<String> columns(StoreQuery query) {
    List<String> columns = new ArrayList<>();
    if (query.granularity().width().isPresent()) {
      columns.add(TIME);
    }
    for (int i = 0; i < query.groupBy().size(); i++) {
      columns.add(groupName(i));
    }
    boolean isNested = query.shape() instanceof Shape.SeriesFirst;
    if (query.shape() instanceof Shape.BySeries) {
      columns.add(SERIES);
    }
    if (query.figures().contains(AggregateColumn.DISTRIBUTION) && !isNested) {
      columns.add(DISTRIBUTION);
    }
    query.figures().stream()
        .sorted()
        .forEach(
            figure -> columns.add(figure == AggregateColumn.DISTRIBUTION ? PANES : name(figure)));
    columns.add(ROWS);
    return columns;
  }

  /** Name of a figure in the answer. */
  static String name(AggregateColumn figure) {
    return "f_" + figure.name().toLowerCase(java.util.Locale.ROOT);
  }

  /** The native query for a question about an organisation. */
  ObjectNode build(TenantId organization, StoreQuery query, String queryId) {
    ObjectNode tree =
        query.shape() instanceof Shape.SeriesFirst first
            ? seriesFirst(organization, query, first.function())
            : direct(organization, query);
    ObjectNode context = context(query.lane(), queryId);
    if (query.figures().contains(AggregateColumn.LAST)) {
      // Which of several last values is the latest is decided by their times.
      context.put("finalize", false);
    }
    if (tree.path("queryType").asString().equals("groupBy")) {
      // A quarter of the text that rows with named values are.
      context.put("resultAsArray", true);
    }
    tree.set("context", context);
    return tree;
  }

  /** The number of stored rows of each window of some stretches of time. */
  ObjectNode rows(TenantId organization, StoreQuery query, IntervalSet spans, String queryId) {
    ObjectNode tree = JSON.objectNode().put("queryType", "timeseries");
    read(tree, organization, query.part().source(), spans);
    tree.set("granularity", granularity(query.part().source().level().width()));
    tree.set("filter", filter(organization, query));
    tree.putArray("aggregations").addObject().put("type", "count").put("name", ROWS);
    tree.set("context", context(query.lane(), queryId));
    return tree;
  }

  ObjectNode context(Lane lane, String queryId) {
    return JSON.objectNode()
        .put("timeout", timeout.toMillis())
        .put("queryId", queryId)
        .put("lane", lane.wireName())
        .put("priority", lane.priority())
        .put("skipEmptyBuckets", true)
        // Whole groups one after the other, so that an answer can be cut between groups.
        .put("sortByDimsFirst", true)
        .put("applyLimitPushDown", false);
  }

  /**
   * A limit is left out where rows are left in the order in which the broker merges them, group by
   * group: it sorts whatever has a limit and buckets, which takes long.
   */
  private static boolean hasLimit(StoreQuery query) {
    return query.largestFirst().isPresent() || query.granularity().width().isEmpty();
  }

  private ObjectNode direct(TenantId organization, StoreQuery query) {
    boolean bySeries = query.shape() instanceof Shape.BySeries;
    boolean distributions = query.figures().contains(AggregateColumn.DISTRIBUTION);
    boolean isSeries = query.groupBy().isEmpty() && !bySeries && !distributions;
    ObjectNode tree = JSON.objectNode();
    tree.put("queryType", isSeries ? "timeseries" : "groupBy");
    read(tree, organization, query.part().source(), query.part().spans());
    tree.set("granularity", granularity(query.granularity()));
    tree.set("filter", filter(organization, query));
    if (!isSeries) {
      ArrayNode dimensions = dimensions(tree, query.groupBy());
      if (bySeries) {
        dimensions.add(SERIES);
      }
      if (distributions) {
        dimensions.add(DISTRIBUTION);
      }
    }
    ArrayNode aggregations = tree.putArray("aggregations");
    figures(aggregations, query.figures());
    aggregations.addObject().put("type", "count").put("name", ROWS);
    if (!isSeries && !bySeries && !distributions && hasLimit(query)) {
      limit(tree, query);
    }
    return tree;
  }

  private static void limit(ObjectNode tree, StoreQuery query) {
    long buckets =
        query.part().spans().intervals().stream().mapToLong(query.granularity()::bucketsIn).sum();
    ObjectNode limit = tree.putObject("limitSpec").put("type", "default");
    limit.put("limit", (int) Math.min(query.maxGroups() * buckets, Integer.MAX_VALUE));
    ArrayNode columns = limit.putArray("columns");
    query
        .largestFirst()
        .ifPresent(
            figure ->
                columns
                    .addObject()
                    .put("dimension", name(figure))
                    .put("direction", "descending")
                    .put("dimensionOrder", "numeric"));
    for (int i = 0; i < query.groupBy().size(); i++) {
      // A limit without columns is taken in the order of time, whatever the context says.
      columns
          .addObject()
          .put("dimension", groupName(i))
          .put("direction", "ascending")
          .put("dimensionOrder", "lexicographic");
    }
  }

  /** A query of the groups over a query of the series in them. */
  private ObjectNode seriesFirst(TenantId organization, StoreQuery query, TimeFunction function) {
    ObjectNode inner = JSON.objectNode().put("queryType", "groupBy");
    read(inner, organization, query.part().source(), query.part().spans());
    inner.set("granularity", granularity(query.granularity()));
    inner.set("filter", filter(organization, query));
    dimensions(inner, query.groupBy()).add(SERIES);
    ArrayNode innerAggregations = inner.putArray("aggregations");
    if (function == TimeFunction.MEAN) {
      figures(innerAggregations, AggregateColumn.of(TimeFunction.MEAN));
      inner
          .putArray("postAggregations")
          .addObject()
          .put("type", "expression")
          .put("name", VALUE)
          .put("expression", "if(\"f_count\" > 0, \"f_sum\" / \"f_count\", null)");
    } else {
      AggregateColumn only = AggregateColumn.of(function).iterator().next();
      innerAggregations.add(aggregator(only, VALUE));
    }

    // The outer query reads values, not what the inner one would merge.
    inner.putObject("context").put("finalize", true);
    ObjectNode tree = JSON.objectNode().put("queryType", "groupBy");
    tree.putObject("dataSource").put("type", "query").set("query", inner);
    // The inner query's buckets begin before its intervals.
    tree.putArray("intervals").add(ALL_TIME);
    tree.set("granularity", granularity(query.granularity()));
    ArrayNode dimensions = tree.putArray("dimensions");
    for (int i = 0; i < query.groupBy().size(); i++) {
      dimensions.add(groupName(i));
    }
    ArrayNode aggregations = tree.putArray("aggregations");
    query.figures().stream().sorted().forEach(figure -> aggregations.add(ofValues(figure)));
    aggregations.addObject().put("type", "count").put("name", ROWS);
    limit(tree, query);
    return tree;
  }

  private static ObjectNode ofValues(AggregateColumn figure) {
    return switch (figure) {
      case SUM -> aggregator("doubleSum", name(figure), VALUE);
      case MIN -> aggregator("doubleMin", name(figure), VALUE);
      case MAX -> aggregator("doubleMax", name(figure), VALUE);
      case COUNT -> {
        ObjectNode counted = JSON.objectNode().put("type", "filtered");
        counted.set("filter", DruidFilters.not(DruidFilters.absent(VALUE)));
        counted.putObject("aggregator").put("type", "count").put("name", name(figure));
        yield counted;
      }
      case LAST, DISTRIBUTION ->
          throw new IllegalArgumentException(figure + " of values of series has no meaning");
    };
  }

  private static ArrayNode dimensions(ObjectNode tree, List<LabelKey> labels) {
    ArrayNode dimensions = tree.putArray("dimensions");
    for (int i = 0; i < labels.size(); i++) {
      dimensions
          .addObject()
          .put("type", "default")
          .put("dimension", labels.get(i).column())
          .put("outputName", groupName(i))
          .put("outputType", "STRING");
    }
    return dimensions;
  }

  private static void intervals(ObjectNode tree, IntervalSet spans) {
    ArrayNode intervals = tree.putArray("intervals");
    spans.intervals().forEach(i -> intervals.add(i.start() + "/" + i.end()));
  }

  private static ObjectNode granularity(Granularity granularity) {
    return granularity
        .width()
        .map(width -> granularity(width.toMillis()))
        .orElseGet(() -> JSON.objectNode().put("type", "all"));
  }

  private static ObjectNode granularity(long width) {
    return JSON.objectNode().put("type", "duration").put("duration", width).put("origin", EPOCH);
  }

  private ObjectNode filter(TenantId organization, StoreQuery query) {
    ObjectNode all = fence(organization, query.part().source());
    query.metric().ifPresent(metric -> DruidFilters.add(all, DruidFilters.equal("metric", metric)));
    ScanSpec part = query.part();
    DruidFilters.environments(part).ifPresent(filter -> DruidFilters.add(all, filter));
    query.filter().ifPresent(filter -> DruidFilters.add(all, DruidFilters.of(filter)));
    query
        .after()
        .ifPresent(after -> DruidFilters.add(all, DruidFilters.after(query.groupBy(), after)));
    return all;
  }

  private static void figures(ArrayNode aggregations, Set<AggregateColumn> figures) {
    figures.stream()
        .sorted()
        .forEach(
            figure -> {
              if (figure == AggregateColumn.DISTRIBUTION) {
                aggregations.add(aggregator("longSum", PANES, PANES));
              } else {
                aggregations.add(aggregator(figure, name(figure)));
              }
            });
  }

  private static ObjectNode aggregator(AggregateColumn figure, String name) {
    return switch (figure) {
      case SUM -> aggregator("doubleSum", name, "sum");
      case MIN -> aggregator("doubleMin", name, "min");
      case MAX -> aggregator("doubleMax", name, "max");
      case COUNT -> aggregator("longSum", name, "count");
      case LAST -> aggregator("doubleLast", name, "last");
      case DISTRIBUTION -> throw new IllegalArgumentException("Distributions are a dimension");
    };
  }

  private static ObjectNode aggregator(String type, String name, String field) {
    return JSON.objectNode().put("type", type).put("name", name).put("fieldName", field);
  }
}
