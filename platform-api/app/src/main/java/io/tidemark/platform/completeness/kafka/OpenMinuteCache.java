package io.tidemark.platform.completeness.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.contracts.live.v1.Description;
import io.tidemark.contracts.live.v1.Snapshot;
import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.Distribution;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.MetricKind;
import io.tidemark.platform.metricstore.OpenMinuteCell;
import io.tidemark.platform.metricstore.OpenMinutesState;
import io.tidemark.platform.shared.TenantId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The cells of open minutes, by the rule of readers in {@code live/v1/snapshot.proto}. One writer,
 * any readers. Bounded: a metric that has more series in a minute than there is room for is not
 * shown in that minute, and no organisation takes more than half of the room.
 */
final class OpenMinuteCache {

  private static final Logger LOG = LoggerFactory.getLogger(OpenMinuteCache.class);
  private static final long MINUTE_MS = 60_000L;

  /** The topic keeps ten minutes; nothing older is replaced any more. */
  private static final long KEPT_MS = 12 * MINUTE_MS;

  /** Older minutes get no new cells: the job does not show what ended 15 seconds ago. */
  private static final long REMEMBERED_MS = 5 * MINUTE_MS;

  private record MetricKey(String organization, String metric) {}

  private record Id(long high, long low) {
    String hex() {
      return String.format("%016x%016x", high, low);
    }
  }

  private record SeriesOfKeyGroup(int keyGroup, Id series) {}

  private record Series(
      MetricKey metric,
      MetricKind kind,
      String environment,
      String hex,
      Map<String, String> labels) {}

  private record Cell(
      Series series,
      double sum,
      long count,
      double min,
      double max,
      double last,
      long lastAt,
      String distribution) {

    /** Takes back what was shown. */
    boolean isNothing() {
      return count == 0 && Double.isNaN(sum);
    }

    void addTo(AggregateState all) {
      AggregateState figures = new AggregateState();
      figures.sum = sum;
      figures.count = count;
      figures.min = min;
      figures.max = max;
      figures.last = last;
      figures.lastAt = lastAt;
      if (!distribution.isEmpty()) {
        figures.distribution = new Distribution();
        figures.distribution.add(distribution, 1);
      }
      all.add(figures);
    }
  }

  /** A series that was described, and the last minute that it has a cell of. */
  private static final class CachedSeries {
    private final Series series;
    private long lastMinute;

    CachedSeries(Series series, long minute) {
      this.series = series;
      this.lastMinute = minute;
    }
  }

  /** Cells of a metric in a minute; none when there was no room for all of them. */
  private static final class CachedCell {
    private final Map<SeriesOfKeyGroup, Cell> cells = new ConcurrentHashMap<>();
    private volatile boolean isCut;
  }

  private final JsonMapper json = JsonMapper.builder().build();
  private final ConcurrentSkipListMap<Long, Map<MetricKey, CachedCell>> minutes =
      new ConcurrentSkipListMap<>();
  private final int maxCells;
  private final Map<String, Integer> cellsByOrganization = new HashMap<>();
  private int cells;

  /** The writer's own. A series is described again in every minute in which it has cells. */
  private final Map<Id, CachedSeries> known = new HashMap<>();

  private final Map<String, Integer> knownByOrganization = new HashMap<>();

  /**
   * No cells.
   *
   * @param maxCells number of cells in all minutes, and of series
   */
  OpenMinuteCache(int maxCells) {
    this.maxCells = maxCells;
  }

  /** Takes the value of a record. */
  void snapshot(byte[] value) {
    try {
      add(Snapshot.parseFrom(value));
    } catch (InvalidProtocolBufferException | JacksonException unreadable) {
      LOG.warn("A snapshot of open minutes cannot be read: {}", unreadable.toString());
    }
  }

  private void add(Snapshot snapshot) {
    long minute = snapshot.getMinuteUnixMs();
    Map<MetricKey, CachedCell> metrics =
        minutes.computeIfAbsent(minute, ignored -> new ConcurrentHashMap<>());
    for (Description description : snapshot.getDescriptionsList()) {
      describe(id(snapshot, description.getCell()), description.getRow(), minute, metrics);
    }
    Map<Integer, String> buckets = new HashMap<>();
    snapshot.getBucketsList().forEach(each -> buckets.put(each.getCell(), each.getDistribution()));
    for (int i = 0; i < snapshot.getSeriesHighCount(); i++) {
      Id id = id(snapshot, i);
      CachedSeries found = known.get(id);
      if (found != null) {
        found.lastMinute = Math.max(found.lastMinute, minute);
        put(
            metrics.computeIfAbsent(found.series.metric(), ignored -> new CachedCell()),
            new SeriesOfKeyGroup(snapshot.getKeyGroup(), id),
            cell(found.series, snapshot, i, buckets.getOrDefault(i, "")));
      }
    }
  }

  private void describe(Id id, String row, long minute, Map<MetricKey, CachedCell> metrics) {
    if (known.containsKey(id)) {
      return;
    }
    Series series = series(id, row);
    String organization = series.metric().organization();
    if (!TenantId.isWellFormed(organization)) {
      LOG.warn("A series of open minutes is of no organisation: {}", row);
    } else if (hasRoom(known.size(), knownByOrganization, organization)) {
      known.put(id, new CachedSeries(series, minute));
      knownByOrganization.merge(organization, 1, Integer::sum);
    } else {
      cut(metrics.computeIfAbsent(series.metric(), ignored -> new CachedCell()), organization);
    }
  }

  private boolean hasRoom(int all, Map<String, Integer> byOrganization, String organization) {
    return all < maxCells && byOrganization.getOrDefault(organization, 0) < (maxCells + 1) / 2;
  }

  private void put(CachedCell shown, SeriesOfKeyGroup place, Cell cell) {
    if (shown.isCut) {
      return;
    }
    String organization = cell.series().metric().organization();
    if (!shown.cells.containsKey(place)) {
      if (!hasRoom(cells, cellsByOrganization, organization)) {
        cut(shown, organization);
        return;
      }
      cells++;
      cellsByOrganization.merge(organization, 1, Integer::sum);
    }
    shown.cells.put(place, cell);
  }

  private void cut(CachedCell shown, String organization) {
    shown.isCut = true;
    release(organization, shown);
  }

  private void release(String organization, CachedCell shown) {
    int freed = shown.cells.size();
    shown.cells.clear();
    cells -= freed;
    less(cellsByOrganization, organization, freed);
  }

  private static void less(Map<String, Integer> numbers, String organization, int freed) {
    numbers.computeIfPresent(
        organization, (key, number) -> number == freed ? null : number - freed);
  }

  /**
   * Forgets what is complete, and what the topic does not hold any more.
   *
   * @param completeUntil of an organisation, ms
   */
  void forget(long now, ToLongFunction<String> completeUntil) {
    for (Map.Entry<Long, Map<MetricKey, CachedCell>> entry : minutes.entrySet()) {
      long end = entry.getKey() + MINUTE_MS;
      boolean isOld = entry.getKey() < now - KEPT_MS;
      entry
          .getValue()
          .entrySet()
          .removeIf(
              metric -> {
                String organization = metric.getKey().organization();
                boolean isGone = isOld || end <= completeUntil.applyAsLong(organization);
                if (isGone) {
                  release(organization, metric.getValue());
                }
                return isGone;
              });
      if (isOld) {
        minutes.remove(entry.getKey());
      }
    }
    known
        .values()
        .removeIf(
            each -> {
              boolean isOld = each.lastMinute < now - REMEMBERED_MS;
              if (isOld) {
                less(knownByOrganization, each.series.metric().organization(), 1);
              }
              return isOld;
            });
  }

  /** How many cells there are. */
  int size() {
    return cells;
  }

  /** How many series there are. */
  int series() {
    return known.size();
  }

  private static Id id(Snapshot snapshot, int cell) {
    return new Id(snapshot.getSeriesHigh(cell), snapshot.getSeriesLow(cell));
  }

  private Series series(Id id, String row) {
    JsonNode members = json.readTree(row);
    Map<String, String> labels = new HashMap<>();
    members
        .properties()
        .forEach(
            member -> {
              if (member.getKey().startsWith("metric.")
                  || member.getKey().startsWith("resource.")) {
                labels.put(member.getKey(), member.getValue().asString());
              }
            });
    String environment = members.path("environment_id").asString("");
    labels.put("environment.id", environment);
    return new Series(
        new MetricKey(
            members.path("organization_id").asString(""), members.path("metric").asString("")),
        MetricKind.ofStored(members.path("metric_type").asString("")),
        environment,
        id.hex(),
        Map.copyOf(labels));
  }

  private static Cell cell(Series series, Snapshot snapshot, int i, String distribution) {
    return new Cell(
        series,
        snapshot.getSum(i),
        snapshot.getCount(i),
        snapshot.getMin(i),
        snapshot.getMax(i),
        snapshot.getLast(i),
        snapshot.getLastTimeUnixNano(i) / 1_000_000,
        distribution);
  }

  /** Cells of an organisation, a series in several key groups added up. */
  List<OpenMinuteCell> cells(
      String organization,
      Optional<String> metric,
      IntervalSet among,
      Set<String> hiddenEnvironments,
      Predicate<Map<String, String>> wanted) {
    List<OpenMinuteCell> found = new ArrayList<>();
    each(
        organization,
        metric,
        among,
        (minute, shown) -> {
          Map<String, OpenMinuteCell> bySeries = new HashMap<>();
          for (Cell cell : shown.cells.values()) {
            Series series = cell.series();
            if (!cell.isNothing()
                && !hiddenEnvironments.contains(series.environment())
                && wanted.test(series.labels())) {
              OpenMinuteCell sum =
                  bySeries.computeIfAbsent(
                      series.hex(),
                      hex ->
                          new OpenMinuteCell(minute, hex, series.labels(), new AggregateState()));
              cell.addTo(sum.figures());
            }
          }
          found.addAll(bySeries.values());
        });
    return found;
  }

  /** Whether series are missing for want of room. */
  OpenMinutesState state(String organization, Optional<String> metric, IntervalSet among) {
    boolean[] isCut = new boolean[1];
    each(organization, metric, among, (minute, shown) -> isCut[0] |= shown.isCut);
    return isCut[0] ? OpenMinutesState.PARTIAL : OpenMinutesState.SHOWN;
  }

  Set<MetricKind> kinds(String organization, String metric) {
    Set<MetricKind> kinds = EnumSet.noneOf(MetricKind.class);
    for (Map<MetricKey, CachedCell> metrics : minutes.values()) {
      CachedCell shown = metrics.get(new MetricKey(organization, metric));
      if (shown != null) {
        shown.cells.values().forEach(cell -> kinds.add(cell.series().kind()));
      }
    }
    return kinds;
  }

  private interface Look {
    void at(long minute, CachedCell shown);
  }

  private void each(String organization, Optional<String> metric, IntervalSet among, Look look) {
    for (IntervalSet.Span span : among.list()) {
      minutes
          .subMap(span.from(), true, span.to(), false)
          .forEach(
              (minute, metrics) -> {
                if (metric.isPresent()) {
                  CachedCell shown = metrics.get(new MetricKey(organization, metric.get()));
                  if (shown != null) {
                    look.at(minute, shown);
                  }
                } else {
                  metrics.forEach(
                      (key, shown) -> {
                        if (key.organization().equals(organization)) {
                          look.at(minute, shown);
                        }
                      });
                }
              });
    }
  }
}
