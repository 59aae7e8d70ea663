package io.tidemark.platform.metricstore.druid;

import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.druid.DruidHttp;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.LookUpTurns;
import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.metricstore.SeriesCounter;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.shared.IdentifierSource;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Counts series in Druid. Every query waits for its tenant's turn and runs in the slow lane. */
public final class DruidSeriesCounter implements SeriesCounter {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String ALL_TIME = "1900-01-01T00:00:00.000Z/2300-01-01T00:00:00.000Z";
  private static final String COUNT = "n";

  private final DruidHttp http;
  private final DruidQueryTree trees;
  private final LookUpTurns turns;
  private final IdentifierSource identifiers;

  public DruidSeriesCounter(
      DruidHttp http,
      HiddenFilter hidden,
      DatasourcePlacements placements,
      LookUpTurns turns,
      IdentifierSource identifiers) {
    this.http = http;
    this.trees = new DruidQueryTree(http.timeout(), hidden, placements);
    this.turns = turns;
    this.identifiers = identifiers;
  }

  @Override
  public long rows(QueryScope readable, Counting counting) {
    return rows(readable, scan(readable, counting, "all"));
  }

  @Override
  public SortedMap<Instant, Long> rowsByMinute(QueryScope readable, Counting counting) {
    ObjectNode tree = scan(readable, counting, "minute");
    dimensions(tree, List.of());
    count(tree);
    SortedMap<Instant, Long> rows = new TreeMap<>();
    events(
        readable,
        tree,
        row ->
            rows.merge(
                Instant.parse(row.path("timestamp").asString()),
                row.path("event").path(COUNT).asLong(0),
                Long::sum));
    return rows;
  }

  @Override
  public long rows(QueryScope readable, Counting counting, String metric) {
    return rows(readable, ofMetric(scan(readable, counting, "all"), metric));
  }

  private long rows(QueryScope readable, ObjectNode tree) {
    dimensions(tree, List.of());
    count(tree);
    long[] rows = {0};
    events(readable, tree, event -> rows[0] = event.path("event").path(COUNT).asLong(0));
    return rows[0];
  }

  @Override
  public List<MetricSeries> series(
      QueryScope readable, Counting counting, boolean byDay, boolean exact) {
    String granularity = byDay ? "day" : "all";
    ObjectNode scan = scan(readable, counting, granularity);
    ObjectNode tree;
    if (exact) {
      dimensions(scan, List.of("metric", DruidQueryTree.SERIES));
      scan.putArray("aggregations");
      tree = around(scan, granularity, List.of("d0"));
      count(tree);
    } else {
      dimensions(scan, List.of("metric"));
      tree = scan;
      distinct(tree.putArray("aggregations"), COUNT, DruidQueryTree.SERIES);
    }
    return byMetric(readable, counting, byDay, tree);
  }

  @Override
  public List<MetricSeries> overflowSeries(QueryScope readable, Counting counting) {
    ObjectNode scan = scan(readable, counting, "all");
    DruidFilters.add(
        (ObjectNode) scan.path("filter"), DruidFilters.not(DruidFilters.absent(OVERFLOW)));
    dimensions(scan, List.of("metric", DruidQueryTree.SERIES));
    scan.putArray("aggregations");
    ObjectNode tree = around(scan, "all", List.of("d0"));
    count(tree);
    return byMetric(readable, counting, false, tree);
  }

  private List<MetricSeries> byMetric(
      QueryScope readable, Counting counting, boolean byDay, ObjectNode tree) {
    List<MetricSeries> found = new ArrayList<>();
    events(
        readable,
        tree,
        row ->
            found.add(
                new MetricSeries(
                    row.path("event").path("d0").asString(""),
                    byDay
                        ? Instant.parse(row.path("timestamp").asString())
                        : counting.interval().start(),
                    row.path("event").path(COUNT).asLong(0))));
    return found;
  }

  @Override
  public Map<String, Long> values(
      QueryScope readable, Counting counting, String metric, Set<String> labels) {
    List<String> ordered = List.copyOf(new TreeSet<>(labels));
    ObjectNode tree = ofMetric(scan(readable, counting, "all"), metric);
    dimensions(tree, List.of());
    ArrayNode aggregations = tree.putArray("aggregations");
    for (int i = 0; i < ordered.size(); i++) {
      distinct(aggregations, COUNT + i, ordered.get(i));
    }
    Map<String, Long> values = new TreeMap<>();
    events(
        readable,
        tree,
        row -> {
          for (int i = 0; i < ordered.size(); i++) {
            values.put(ordered.get(i), row.path("event").path(COUNT + i).asLong(0));
          }
        });
    return values;
  }

  @Override
  public ReducedSeries reduced(
      QueryScope readable, Counting counting, String metric, @Nullable Set<String> labels) {
    // Series by minute, then minutes by series, then both added up.
    ObjectNode minutes = ofMetric(scan(readable, counting, "minute"), metric);
    List<String> columns = new ArrayList<>();
    if (labels == null) {
      columns.add(DruidQueryTree.SERIES);
    } else {
      columns.addAll(List.of("metric_type", "unit", "resource_type", "resource_id"));
      columns.addAll(new TreeSet<>(labels));
    }
    List<String> names = dimensions(minutes, columns);
    minutes.putArray("aggregations");
    ObjectNode series = around(minutes, "all", names);
    count(series);
    ObjectNode tree = around(series, "all", List.of());
    count(tree);
    ((ArrayNode) tree.path("aggregations"))
        .addObject()
        .put("type", "longSum")
        .put("name", "rows")
        .put("fieldName", COUNT);
    long[] found = {0, 0};
    events(
        readable,
        tree,
        row -> {
          found[0] = row.path("event").path(COUNT).asLong(0);
          found[1] = row.path("event").path("rows").asLong(0);
        });
    return new ReducedSeries(found[0], found[1]);
  }

  @Override
  public OptionalDouble bytesPerRow(Source source, TimeInterval interval) {
    String span = interval.start() + "/" + interval.end();
    long bytes = 0;
    for (JsonNode segment :
        http.get(
            "/druid/v2/datasources/"
                + source.datasource()
                + "/candidates?numCandidates=1&intervals="
                + URLEncoder.encode(span, StandardCharsets.UTF_8))) {
      bytes += Math.max(0, segment.path("size").asLong(0));
    }
    if (bytes == 0) {
      return OptionalDouble.empty();
    }
    ObjectNode tree = JSON.objectNode().put("queryType", "segmentMetadata");
    tree.put("dataSource", source.datasource());
    tree.putArray("intervals").add(span);
    tree.put("merge", true).put("lenientAggregatorMerge", true);
    tree.putObject("toInclude").put("type", "none");
    tree.putArray("analysisTypes");
    tree.set("context", context());
    long rows =
        http.query(
            tree,
            body -> {
              long sum = 0;
              for (JsonNode each : each(body)) {
                sum += each.path("numRows").asLong(0);
              }
              return sum;
            });
    return rows == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) bytes / rows);
  }

  /** The only way to rows: the organisation's and its environments', and what may be shown. */
  private ObjectNode scan(QueryScope readable, Counting counting, String granularity) {
    ObjectNode tree = JSON.objectNode().put("queryType", "groupBy");
    trees.read(
        tree,
        readable.organization(),
        counting.source(),
        IntervalSet.of(List.of(counting.interval())));
    tree.put("granularity", granularity);
    ObjectNode fence = trees.fence(readable.organization(), counting.source());
    if (!readable.environments().isEmpty()) {
      DruidFilters.add(fence, DruidFilters.in("environment_id", readable.environments()));
    }
    if (counting.resource().type() != null) {
      DruidFilters.add(fence, DruidFilters.equal("resource_type", counting.resource().type()));
    }
    if (counting.resource().id() != null) {
      DruidFilters.add(fence, DruidFilters.equal("resource_id", counting.resource().id()));
    }
    tree.set("filter", fence);
    tree.set("context", context());
    return tree;
  }

  private static ObjectNode ofMetric(ObjectNode scan, String metric) {
    DruidFilters.add((ObjectNode) scan.path("filter"), DruidFilters.equal("metric", metric));
    return scan;
  }

  private ObjectNode around(ObjectNode inner, String granularity, List<String> names) {
    ObjectNode tree = JSON.objectNode().put("queryType", "groupBy");
    inner.remove("context");
    tree.putObject("dataSource").put("type", "query").set("query", inner);
    // The inner query's buckets begin before its intervals.
    tree.putArray("intervals").add(ALL_TIME);
    tree.put("granularity", granularity);
    ArrayNode dimensions = tree.putArray("dimensions");
    names.forEach(dimensions::add);
    tree.set("context", context());
    return tree;
  }

  private ObjectNode context() {
    ObjectNode context = trees.context(Lane.SLOW, identifiers.next());
    context.remove(List.of("sortByDimsFirst", "applyLimitPushDown"));
    return context;
  }

  private static List<String> dimensions(ObjectNode tree, List<String> columns) {
    ArrayNode dimensions = tree.putArray("dimensions");
    List<String> names = new ArrayList<>();
    for (String column : columns) {
      String name = "d" + names.size();
      dimensions
          .addObject()
          .put("type", "default")
          .put("dimension", column)
          .put("outputName", name)
          .put("outputType", "STRING");
      names.add(name);
    }
    return names;
  }

  private static void count(ObjectNode tree) {
    tree.putArray("aggregations").addObject().put("type", "count").put("name", COUNT);
  }

  private static void distinct(ArrayNode aggregations, String name, String column) {
    ObjectNode aggregation = aggregations.addObject().put("type", "cardinality").put("name", name);
    aggregation.putArray("fields").add(column);
    aggregation.put("byRow", false).put("round", true);
  }

  private void events(QueryScope readable, ObjectNode tree, Consumer<JsonNode> reading) {
    try (var turn = turns.enterLookUp(readable.organization(), Lane.INTERACTIVE)) {
      http.query(
          tree,
          body -> {
            each(body).forEach(reading);
            return true;
          });
    }
  }

  private Iterable<JsonNode> each(java.io.InputStream body) {
    MappingIterator<JsonNode> items = http.json().readerFor(JsonNode.class).readValues(body);
    return () -> items;
  }
}
