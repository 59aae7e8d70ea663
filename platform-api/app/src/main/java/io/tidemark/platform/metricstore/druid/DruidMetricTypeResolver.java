package io.tidemark.platform.metricstore.druid;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.druid.DruidHttp;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.MetricKind;
import io.tidemark.platform.metricstore.MetricTypeResolver;
import io.tidemark.platform.metricstore.OpenMinutes;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.shared.TenantId;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the kind of a metric from its rows: first from few new ones, then from wider windows; of a
 * metric without rows from its open minutes, and else from rows that Druid does not keep any more.
 */
public final class DruidMetricTypeResolver implements MetricTypeResolver {

  private record Look(Source source, Duration back) {}

  private record Metric(TenantId organization, String name) {}

  private static final List<Look> LOOKS =
      List.of(
          new Look(Source.MINUTES, Duration.ofMinutes(10)),
          new Look(Source.HOURS, Duration.ofDays(2)),
          new Look(Source.DAYS, Duration.ofDays(400)),
          new Look(Source.MINUTES, Duration.ofDays(2)));
  private static final Duration AHEAD = Duration.ofHours(1);

  private final DruidHttp http;
  private final DruidQueryTree trees;
  private final OpenMinutes openMinutes;
  private final BiFunction<TenantId, String, Set<MetricKind>> older;
  private final IdentifierSource identifiers;
  private final Clock clock;

  /** Of metrics that Druid has no rows of. */
  private final Cache<Metric, Set<MetricKind>> ofOlder =
      Caffeine.newBuilder().maximumSize(10_000).expireAfterWrite(Duration.ofMinutes(1)).build();

  private final Cache<Metric, MetricKind> known =
      Caffeine.newBuilder().maximumSize(100_000).expireAfterWrite(Duration.ofMinutes(10)).build();

  /**
   * Kinds as a broker tells them.
   *
   * @param older kinds of what only older rows tell of, which Druid does not keep any more
   */
  public DruidMetricTypeResolver(
      DruidHttp http,
      HiddenFilter hidden,
      DatasourcePlacements placements,
      OpenMinutes openMinutes,
      BiFunction<TenantId, String, Set<MetricKind>> older,
      IdentifierSource identifiers,
      Clock clock) {
    this.http = http;
    this.trees = new DruidQueryTree(http.timeout(), hidden, placements);
    this.openMinutes = openMinutes;
    this.older = older;
    this.identifiers = identifiers;
    this.clock = clock;
  }

  @Override
  public MetricKind kindOf(TenantId organization, String metric) {
    Metric key = new Metric(organization, metric);
    MetricKind kind = known.getIfPresent(key);
    if (kind != null) {
      return kind;
    }
    for (Look look : LOOKS) {
      Set<MetricKind> kinds = http.query(tree(organization, metric, look), this::kinds);
      if (!kinds.isEmpty()) {
        kind = only(kinds);
        known.put(key, kind);
        return kind;
      }
    }
    Set<MetricKind> open = openMinutes.kindsOf(organization, metric);
    return only(
        open.isEmpty() ? ofOlder.get(key, ignored -> older.apply(organization, metric)) : open);
  }

  /** Values that add up somewhere are not averaged anywhere. */
  private static MetricKind only(Set<MetricKind> kinds) {
    return kinds.size() == 1 ? kinds.iterator().next() : MetricKind.COUNTER;
  }

  private ObjectNode tree(TenantId organization, String metric, Look look) {
    Instant now = clock.instant();
    ObjectNode tree = JsonNodeFactory.instance.objectNode().put("queryType", "groupBy");
    trees.read(
        tree,
        organization,
        look.source(),
        IntervalSet.of(List.of(new TimeInterval(now.minus(look.back()), now.plus(AHEAD)))));
    tree.put("granularity", "all");
    ObjectNode filter = trees.fence(organization, look.source());
    DruidFilters.add(filter, DruidFilters.equal("metric", metric));
    tree.set("filter", filter);
    tree.putArray("dimensions").add("metric_type");
    tree.putArray("aggregations");
    tree.set("context", trees.context(Lane.INTERACTIVE, identifiers.next()));
    return tree;
  }

  private Set<MetricKind> kinds(InputStream body) {
    Set<MetricKind> kinds = EnumSet.noneOf(MetricKind.class);
    for (JsonNode row : http.json().readTree(body)) {
      kinds.add(MetricKind.ofStored(row.path("event").path("metric_type").asString("")));
    }
    return kinds;
  }
}
