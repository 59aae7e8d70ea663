package io.tidemark.platform.metricstore.recent;

import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.Distribution;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.Level;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.StoreRow;
import io.tidemark.platform.metricstore.VisibleRows;
import io.tidemark.platform.rows.RowScanner;
import io.tidemark.platform.rows.SeriesNames;
import io.tidemark.platform.shared.TenantId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The newest minutes of every organisation, in memory. There is room for so many rows; an
 * organisation that needs more than half of it, and all when together they need more, are kept for
 * a shorter time. One writer.
 */
final class RecentRows {

  /** What a series takes beside its rows, in rows. */
  private static final int WEIGHT_OF_SERIES = 8;

  /** Where rows find no room, this part of it is made free: counting takes a look at all rows. */
  private static final int FREED = 16;

  /**
   * Of which rows can be in an answer. A row that somebody dated far ahead is no reason to fail.
   */
  private static final long MAX_SPAN = 10_000 * Level.MINUTE.width();

  private static final long MINUTE = Level.MINUTE.width();

  private record SeriesKey(String environment, String id) {}

  /** What is kept of one organisation. */
  private static final class Own {
    private final Map<String, Map<SeriesKey, RecentSeries>> metrics = new HashMap<>();
    private long from;
    private long weight;

    Own(long from) {
      this.from = from;
    }
  }

  /** Where the rows of a series go. */
  private record SeriesEntry(Own own, RecentSeries series) {}

  private final int room;
  private final RowScanner scanner = new RowScanner();
  private final SeriesNames<SeriesEntry> names = new SeriesNames<>();
  private int gone;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Map<String, Own> organizations = new HashMap<>();
  private long from;
  private volatile long weight;

  /**
   * Nothing yet.
   *
   * @param room maximum number of rows, those that series take included
   * @param from of rows of minutes that begin at or after this time all will be added
   */
  RecentRows(int room, long from) {
    this.room = room;
    this.from = from;
  }

  /** About how many rows are in memory. */
  long size() {
    return weight;
  }

  /** Makes several changes at once: no reader sees some of them without the others. */
  void update(Runnable changes) {
    lock.writeLock().lock();
    try {
      changes.run();
    } finally {
      lock.writeLock().unlock();
    }
  }

  /**
   * Adds the rows of a record; those of minutes that are not kept are let go.
   *
   * @throws IllegalArgumentException when one cannot be read; those before it are added
   */
  void add(byte[] record) {
    lock.writeLock().lock();
    try {
      scanner.reset(record);
      while (scanner.next()) {
        SeriesEntry known =
            scanner.isPlain()
                ? names.find(record, scanner.namesFrom(), scanner.namesLength())
                : null;
        if (known != null && known.series().isKept()) {
          addPlain(known);
        } else {
          add(RollupRow.of(record, scanner.from(), scanner.length()), scanner.isPlain());
        }
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** A row of a series that is known by its bytes: nothing else of it is read. */
  private void addPlain(SeriesEntry known) {
    long minute = Math.floorDiv(scanner.timestamp(), MINUTE) * MINUTE;
    if (minute < known.own().from) {
      return;
    }
    AggregateState figures = new AggregateState();
    figures.sum = scanner.sum();
    figures.count = scanner.count();
    figures.min = scanner.min();
    figures.max = scanner.max();
    figures.last = scanner.last();
    if (scanner.lastTimestamp() >= 0) {
      figures.lastAt = scanner.lastTimestamp();
    }
    if (scanner.hasDistribution()) {
      figures.distribution = new Distribution();
      figures.distribution.add(scanner.distribution(), 1);
    }
    add(known, minute, figures);
  }

  private void add(RollupRow row, boolean isPlain) {
    Own own = organizations.computeIfAbsent(row.organization(), ignored -> new Own(from));
    if (row.minute() < own.from) {
      return;
    }
    Map<SeriesKey, RecentSeries> metric =
        own.metrics.computeIfAbsent(row.metric(), ignored -> new HashMap<>());
    SeriesKey key = new SeriesKey(row.environment(), row.series());
    RecentSeries series = metric.get(key);
    if (series == null) {
      series = new RecentSeries(row.environment(), row.series(), row.labels());
      metric.put(key, series);
      grow(own, WEIGHT_OF_SERIES);
    }
    SeriesEntry known = new SeriesEntry(own, series);
    if (isPlain) {
      names.keep(known);
    }
    add(known, row.minute(), row.figures());
  }

  private void add(SeriesEntry known, long minute, AggregateState figures) {
    if (known.series().add(minute, figures)) {
      grow(known.own(), known.series().weight());
    }
  }

  private void grow(Own own, long by) {
    own.weight += by;
    weight += by;
  }

  /** Forgets what is older than it has to be, and of the rest the oldest that finds no room. */
  void forget(long before) {
    lock.writeLock().lock();
    try {
      from = Math.max(from, before);
      organizations.values().forEach(own -> forget(own, from));
      for (Own own : organizations.values()) {
        if (own.weight > room / 2) {
          forget(own, fitting(List.of(own), room / 2));
        }
      }
      if (weight > room) {
        from = Math.max(from, fitting(organizations.values(), room));
        organizations.values().forEach(own -> forget(own, from));
      }
      organizations.values().removeIf(own -> own.metrics.isEmpty() && own.from <= from);
      if (2 * gone > names.size()) {
        names.retain(known -> known.series().isKept());
        gone = 0;
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** The minute from which on rows of the organisations find room, with some to spare. */
  private static long fitting(Collection<Own> some, int room) {
    NavigableMap<Long, Long> goes = new TreeMap<>();
    for (Own own : some) {
      for (Map<SeriesKey, RecentSeries> metric : own.metrics.values()) {
        for (RecentSeries series : metric.values()) {
          for (int place = 0; place < series.size(); place++) {
            goes.merge(series.minute(place), (long) series.weight(), Long::sum);
          }
          goes.merge(series.minute(series.size() - 1), (long) WEIGHT_OF_SERIES, Long::sum);
        }
      }
    }
    long left = goes.values().stream().mapToLong(Long::longValue).sum();
    for (Map.Entry<Long, Long> minute : goes.entrySet()) {
      if (left <= room - room / FREED) {
        return minute.getKey();
      }
      left -= minute.getValue();
    }
    return goes.isEmpty() ? Long.MIN_VALUE : goes.lastKey() + MINUTE;
  }

  private void forget(Own own, long before) {
    if (before <= own.from) {
      return;
    }
    own.from = before;
    long left = 0;
    for (var metrics = own.metrics.values().iterator(); metrics.hasNext(); ) {
      Map<SeriesKey, RecentSeries> metric = metrics.next();
      for (var each = metric.values().iterator(); each.hasNext(); ) {
        RecentSeries series = each.next();
        series.forget(before);
        if (series.size() == 0) {
          series.letGo();
          gone++;
          each.remove();
        } else {
          left += WEIGHT_OF_SERIES + (long) series.size() * series.weight();
        }
      }
      if (metric.isEmpty()) {
        metrics.remove();
      }
    }
    weight += left - own.weight;
    own.weight = left;
  }

  /** The answer to a question; empty when it reaches back beyond what is kept. */
  Optional<List<StoreRow>> rows(
      TenantId organization, StoreQuery query, VisibleRows.From shown, int maxResult) {
    lock.readLock().lock();
    try {
      Own own = organizations.get(organization.value());
      if (!isKept(own, query)) {
        return Optional.empty();
      }
      RecentGroups groups = new RecentGroups(query, shown, maxResult);
      if (own != null) {
        metrics(own, query)
            .forEach((metric, all) -> all.values().forEach(series -> groups.take(metric, series)));
      }
      return Optional.of(groups.rows());
    } finally {
      lock.readLock().unlock();
    }
  }

  /** How many rows there are of the metric, at most; empty when some are not kept. */
  OptionalLong estimate(TenantId organization, StoreQuery query) {
    lock.readLock().lock();
    try {
      Own own = organizations.get(organization.value());
      if (!isKept(own, query)) {
        return OptionalLong.empty();
      }
      long rows = 0;
      if (own != null) {
        for (Map<SeriesKey, RecentSeries> metric : metrics(own, query).values()) {
          for (RecentSeries series : metric.values()) {
            rows += series.size();
          }
        }
      }
      return OptionalLong.of(rows);
    } finally {
      lock.readLock().unlock();
    }
  }

  private boolean isKept(@Nullable Own own, StoreQuery query) {
    List<IntervalSet.Span> spans = query.part().spans().list();
    return !spans.isEmpty()
        && spans.get(0).from() >= (own == null ? from : own.from)
        && spans.get(spans.size() - 1).to() - spans.get(0).from() <= MAX_SPAN;
  }

  private static Map<String, Map<SeriesKey, RecentSeries>> metrics(Own own, StoreQuery query) {
    if (query.metric().isEmpty()) {
      return own.metrics;
    }
    Map<SeriesKey, RecentSeries> metric = own.metrics.get(query.metric().get());
    return metric == null ? Map.of() : Map.of(query.metric().get(), metric);
  }
}
