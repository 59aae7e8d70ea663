package io.tidemark.platform.metricstore.druid;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.druid.DruidHttp;
import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.ExportedSeries;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.LookUpTurns;
import io.tidemark.platform.metricstore.MetricKind;
import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.metricstore.SeriesStore;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.shared.IdentifierSource;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads from Druid which series there are: from hours, and from minutes what is not there yet. */
public final class DruidSeriesStore implements SeriesStore {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** The running hour and what hours may take to be written. */
  private static final Duration RECENT = Duration.ofHours(3);

  private static final Duration AHEAD = Duration.ofHours(1);
  private static final int COLUMNS_AT_A_TIME = 100;
  private static final Passes ONCE = (source, spans) -> 1;

  private final DruidHttp http;
  private final DruidQueryTree trees;
  private final LookUpTurns turns;
  private final IdentifierSource identifiers;
  private final Clock clock;

  /** Columns of a datasource, whoever's they are; says nothing to anybody by itself. */
  private final Cache<String, List<String>> columns =
      Caffeine.newBuilder().maximumSize(100).expireAfterWrite(Duration.ofMinutes(1)).build();

  /** Rows that a look-up of somebody reads. */
  private final Cache<String, Long> rows =
      Caffeine.newBuilder().maximumSize(10_000).expireAfterWrite(Duration.ofMinutes(1)).build();

  private final Cache<String, Map<String, Set<String>>> labels =
      Caffeine.newBuilder().maximumSize(1_000).expireAfterWrite(Duration.ofMinutes(1)).build();

  /**
   * Series as a broker tells them.
   *
   * @param turns taken by every look-up that is not answered from memory, and its judge
   */
  public DruidSeriesStore(
      DruidHttp http,
      HiddenFilter hidden,
      DatasourcePlacements placements,
      LookUpTurns turns,
      IdentifierSource identifiers,
      Clock clock) {
    this.http = http;
    this.turns = turns;
    this.trees = new DruidQueryTree(http.timeout(), hidden, placements);
    this.identifiers = identifiers;
    this.clock = clock;
  }

  @Override
  public List<StoredMetric> metrics(QueryScope readable, Duration back) {
    Set<StoredMetric> found = new LinkedHashSet<>();
    each(
        readable,
        back,
        ONCE,
        (source, spans, lane) ->
            groupBy(
                tree(readable, source, spans, "groupBy", lane),
                List.of("metric", "metric_type", "unit", "resource_type"),
                event ->
                    found.add(
                        new StoredMetric(
                            text(event, "d0"),
                            text(event, "d1"),
                            text(event, "d2"),
                            text(event, "d3")))));
    return List.copyOf(found);
  }

  @Override
  public Map<String, Set<String>> labelsByMetric(QueryScope readable, Duration back) {
    return labels.get(
        "metric " + readable + " " + back,
        ignored -> labels(readable, back, "metric", List.of("metric.", "resource.")));
  }

  @Override
  public Map<String, Set<String>> labelsByResourceType(QueryScope readable, Duration back) {
    return labels.get(
        "resource " + readable + " " + back,
        ignored -> labels(readable, back, "resource_type", List.of("resource.")));
  }

  @Override
  public List<StoredResource> resources(QueryScope readable, Duration back, ResourceFilter filter) {
    Set<StoredResource> found = new LinkedHashSet<>();
    List<ObjectNode> filters = new ArrayList<>();
    filter.environment().ifPresent(id -> filters.add(DruidFilters.equal("environment_id", id)));
    filter.kafkaId().ifPresent(id -> filters.add(DruidFilters.equal("resource.kafka.id", id)));
    filter.type().ifPresent(type -> filters.add(DruidFilters.equal("resource_type", type)));
    each(
        readable,
        back,
        ONCE,
        (source, spans, lane) -> {
          ObjectNode tree = tree(readable, source, spans, "groupBy", lane);
          filters.forEach(one -> DruidFilters.add((ObjectNode) tree.path("filter"), one));
          dimensions(tree, List.of("resource_type", "resource_id"));
          tree.putArray("aggregations");
          events(
              tree, event -> found.add(new StoredResource(text(event, "d0"), text(event, "d1"))));
        });
    return List.copyOf(found);
  }

  @Override
  public List<ExportedSeries> minute(QueryScope readable, ExportRequest request) {
    Set<String> keys = new TreeSet<>();
    labelsByMetric(readable, Duration.ofDays(1)).values().forEach(keys::addAll);
    Instant minute = request.minute();
    IntervalSet spans = IntervalSet.of(List.of(new TimeInterval(minute, minute.plusSeconds(60))));
    ObjectNode tree = tree(readable, Source.MINUTES, spans, "scan", Lane.EXPORT);
    ObjectNode filter = (ObjectNode) tree.path("filter");
    DruidFilters.add(filter, DruidFilters.equal("resource_type", request.resourceType()));
    DruidFilters.add(filter, DruidFilters.in("resource_id", request.ids()));
    if (!request.metrics().isEmpty()) {
      DruidFilters.add(filter, DruidFilters.in("metric", request.metrics()));
    }
    tree.remove("granularity");
    tree.put("resultFormat", "list").put("limit", request.limit());
    ArrayNode wanted = tree.putArray("columns");
    List.of("metric", "metric_type", "resource_id", "sum", "count").forEach(wanted::add);
    keys.forEach(wanted::add);
    return http.query(
        tree,
        body -> {
          List<ExportedSeries> rows = new ArrayList<>();
          for (JsonNode segment : each(body)) {
            segment.path("events").forEach(event -> rows.add(row(event, keys)));
          }
          return rows;
        });
  }

  private static ExportedSeries row(JsonNode event, Set<String> keys) {
    Map<String, String> labels = new HashMap<>();
    for (String key : keys) {
      if (event.path(key).isString()) {
        labels.put(key, event.path(key).asString());
      }
    }
    AggregateState figures = new AggregateState();
    figures.sum = event.path("sum").isNumber() ? event.path("sum").doubleValue() : Double.NaN;
    figures.count = event.path("count").asLong(0);
    return new ExportedSeries(
        text(event, "metric"),
        MetricKind.ofStored(text(event, "metric_type")),
        text(event, "resource_id"),
        labels,
        figures);
  }

  /** Which columns hold something in rows of the organisation, by the value of another. */
  private Map<String, Set<String>> labels(
      QueryScope readable, Duration back, String by, List<String> prefixes) {
    Map<String, Set<String>> found = new TreeMap<>();
    each(
        readable,
        back,
        (source, spans) -> passes(candidates(readable, source, spans, prefixes).size()),
        (source, spans, lane) -> {
          List<String> candidates = candidates(readable, source, spans, prefixes);
          for (int i = 0; i < candidates.size(); i += COLUMNS_AT_A_TIME) {
            List<String> some =
                candidates.subList(i, Math.min(candidates.size(), i + COLUMNS_AT_A_TIME));
            ObjectNode tree = tree(readable, source, spans, "groupBy", lane);
            dimensions(tree, List.of(by));
            ArrayNode aggregations = tree.putArray("aggregations");
            for (int j = 0; j < some.size(); j++) {
              ObjectNode counted = aggregations.addObject().put("type", "filtered");
              counted.set("filter", DruidFilters.not(DruidFilters.absent(some.get(j))));
              counted.putObject("aggregator").put("type", "count").put("name", "n" + j);
            }
            events(
                tree,
                event -> {
                  for (int j = 0; j < some.size(); j++) {
                    if (event.path("n" + j).asLong(0) > 0) {
                      found
                          .computeIfAbsent(text(event, "d0"), ignored -> new TreeSet<>())
                          .add(some.get(j));
                    }
                  }
                });
          }
        });
    return found;
  }

  private List<String> candidates(
      QueryScope readable, Source source, IntervalSet spans, List<String> prefixes) {
    return columns(readable, source, spans).stream()
        .filter(column -> prefixes.stream().anyMatch(column::startsWith))
        .toList();
  }

  private static int passes(int columns) {
    return (columns + COLUMNS_AT_A_TIME - 1) / COLUMNS_AT_A_TIME;
  }

  private List<String> columns(QueryScope readable, Source source, IntervalSet spans) {
    List<String> datasources = trees.datasources(readable.organization(), source, spans);
    return columns.get(
        datasources + " " + spans.length(),
        ignored -> {
          ObjectNode tree = JSON.objectNode().put("queryType", "segmentMetadata");
          trees.read(tree, readable.organization(), source, spans);
          tree.put("merge", true).put("lenientAggregatorMerge", true);
          tree.putArray("analysisTypes");
          tree.set("context", trees.context(Lane.INTERACTIVE, identifiers.next()));
          Set<String> names = new TreeSet<>();
          http.query(
              tree,
              body -> {
                for (JsonNode answer : each(body)) {
                  names.addAll(answer.path("columns").propertyNames());
                }
                return names;
              });
          return List.copyOf(names);
        });
  }

  /** How often a look-up reads the rows of a source. */
  private interface Passes {
    int of(Source source, IntervalSet spans);
  }

  private interface LookUp {
    void at(Source source, IntervalSet spans, Lane lane);
  }

  private void each(QueryScope readable, Duration back, Passes passes, LookUp lookUp) {
    Instant now = clock.instant();
    IntervalSet hours =
        IntervalSet.of(List.of(new TimeInterval(now.minus(back), now))).touchedWindows(3_600_000);
    IntervalSet minutes =
        IntervalSet.of(List.of(new TimeInterval(now.minus(RECENT), now.plus(AHEAD))))
            .touchedWindows(60_000);
    Consumer<Lane> run =
        lane -> {
          lookUp.at(Source.HOURS, hours, lane);
          lookUp.at(Source.MINUTES, minutes, lane);
        };
    Lane lane;
    // What it costs is asked of the store, too.
    try (var turn = turns.enterLookUp(readable.organization(), Lane.INTERACTIVE)) {
      lane =
          turns.judgeLookUp(
              cost(readable, Source.HOURS, hours, passes)
                  + cost(readable, Source.MINUTES, minutes, passes));
      if (lane == Lane.INTERACTIVE) {
        run.accept(lane);
        return;
      }
    }
    try (var turn = turns.enterLookUp(readable.organization(), lane)) {
      run.accept(lane);
    }
  }

  private long cost(QueryScope readable, Source source, IntervalSet spans, Passes passes) {
    int times = passes.of(source, spans);
    return times == 0
        ? 0
        : times
            * rows.get(
                source + " " + readable + " " + spans.length(),
                ignored -> count(readable, source, spans));
  }

  /** Counts by indexes alone, which is much less than a look-up does. */
  private long count(QueryScope readable, Source source, IntervalSet spans) {
    ObjectNode tree = tree(readable, source, spans, "timeseries", Lane.INTERACTIVE);
    tree.putArray("aggregations").addObject().put("type", "count").put("name", "n");
    return http.query(
        tree,
        body -> {
          long counted = 0;
          for (JsonNode window : each(body)) {
            counted += window.path("result").path("n").asLong(0);
          }
          return counted;
        });
  }

  private void groupBy(ObjectNode tree, List<String> dimensions, Consumer<JsonNode> reading) {
    dimensions(tree, dimensions);
    tree.putArray("aggregations");
    events(tree, reading);
  }

  private static void dimensions(ObjectNode tree, Collection<String> columns) {
    ArrayNode dimensions = tree.putArray("dimensions");
    int i = 0;
    for (String column : columns) {
      dimensions
          .addObject()
          .put("type", "default")
          .put("dimension", column)
          .put("outputName", "d" + i++)
          .put("outputType", "STRING");
    }
  }

  private ObjectNode tree(
      QueryScope readable, Source source, IntervalSet spans, String type, Lane lane) {
    ObjectNode tree = JSON.objectNode().put("queryType", type);
    trees.read(tree, readable.organization(), source, spans);
    tree.put("granularity", "all");
    ObjectNode fence = trees.fence(readable.organization(), source);
    if (!readable.environments().isEmpty()) {
      DruidFilters.add(fence, DruidFilters.in("environment_id", readable.environments()));
    }
    tree.set("filter", fence);
    tree.set("context", trees.context(lane, identifiers.next()));
    return tree;
  }

  private void events(ObjectNode tree, Consumer<JsonNode> reading) {
    http.query(
        tree,
        body -> {
          for (JsonNode row : each(body)) {
            reading.accept(row.path("event"));
          }
          return true;
        });
  }

  private Iterable<JsonNode> each(InputStream body) {
    MappingIterator<JsonNode> items = http.json().readerFor(JsonNode.class).readValues(body);
    return () -> items;
  }

  private static String text(JsonNode event, String name) {
    return event.path(name).asString("");
  }
}
