package io.tidemark.flink.model.panes.state;

import static java.lang.Double.NaN;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.model.budget.Excess;
import io.tidemark.flink.model.budget.Overflow;
import io.tidemark.flink.model.budget.PlanDefaults;
import io.tidemark.flink.model.budget.SeriesLedger;
import io.tidemark.flink.model.budget.TenantLimits;
import io.tidemark.flink.model.cumulative.PendingReading;
import io.tidemark.flink.model.distribution.BucketGrid;
import io.tidemark.flink.model.distribution.BucketLayout;
import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.panes.PaneAggregate;
import io.tidemark.flink.model.panes.combine.Combiner;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.model.rollup.PaneTiming;
import io.tidemark.flink.model.rollup.RollupLevel;
import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.route.Routes;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** One key group with its store and a sender; adds up emitted rows as Druid would. */
public final class TestingPanes implements PaneSink {

  /** Sum, count, min and max of all rows of one series and window. */
  record Added(double sum, long count, double min, double max) {
    Added plus(PaneAggregate row) {
      return new Added(
          PaneAggregate.added(sum, row.sum),
          count + row.count,
          PaneAggregate.least(min, row.min),
          PaneAggregate.max(max, row.max));
    }
  }

  static final Added NOTHING = new Added(0, 0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);

  public final Map<String, Added> added = new TreeMap<>();
  final List<String> inOrder = new ArrayList<>();
  final Map<String, Distribution> distributions = new TreeMap<>();
  final Set<String> paneIds = new HashSet<>();
  final List<String> setAside = new ArrayList<>();
  final Map<Long, byte[]> stored = new HashMap<>();
  private final ChunkStore store =
      new ChunkStore() {
        @Override
        public void put(long key, byte[] chunk) {
          chunksWritten++;
          chunksPut.add(key);
          stored.put(key, chunk);
        }

        @Override
        public void remove(long key) {
          stored.remove(key);
        }
      };
  final Map<Cause, Integer> causes = new HashMap<>();
  public final List<String> folded = new ArrayList<>();
  final Map<String, Integer> others = new TreeMap<>();
  final Set<String> seriesWithRows = new TreeSet<>();
  String organization = "org-a";
  TenantLimits limits = TenantLimits.NONE;
  SeriesLedger ledger = new SeriesLedger(1, 1, PlanDefaults.ORGANIZATION);
  int rows;
  int chunksWritten;
  final List<Long> chunksPut = new ArrayList<>();
  long now = 1_000_000;
  private long passed = Long.MIN_VALUE;

  /** Where reduced series go, if anywhere. */
  Consumer<byte[]> reduced = bundle -> {};

  private final Reduction reduction = new Reduction(1, bundle -> reduced.accept(bundle));
  private final SeriesHeads heads = new SeriesHeads();
  Routes routes = new Routes();
  private final Map<String, Integer> slots = new HashMap<>();
  private Combiner combiner = new Combiner(1, bundle -> panes().accept(bundle, now));
  KeyGroupPanes panes = new KeyGroupPanes(PaneTiming.DEFAULT, this, ledger, heads, routes, 0, now);
  private PaneStorage storage = new PaneStorage(panes);

  private KeyGroupPanes panes() {
    return panes;
  }

  public static SeriesDescriptor series(String name, MetricKind kind) {
    return series("org-a", name, kind);
  }

  /** {@code req#7} is the series of the metric req whose label id is 7. */
  public static SeriesDescriptor series(String organization, String name, MetricKind kind) {
    int mark = name.indexOf('#');
    String metric = mark < 0 ? name : name.substring(0, mark);
    Map<String, String> labels = mark < 0 ? Map.of() : Map.of("id", name.substring(mark + 1));
    return new SeriesDescriptor(
        organization, "env-a", metric, kind, "1", Map.of("service.name", "shop"), labels);
  }

  public int slot(String name, MetricKind kind) {
    return slots.computeIfAbsent(
        organization + name,
        ignored -> {
          SeriesDescriptor descriptor = series(organization, name, kind);
          combiner.addSeries(SeriesKey.of(descriptor), descriptor, limits);
          return slots.size();
        });
  }

  public void value(String name, long timeMs, double value) {
    combiner.addValue(slot(name, MetricKind.GAUGE), timeMs * 1_000_000, value);
  }

  /** A value of a series with one label of this key. */
  void labelled(String metric, String key, long timeMs, double value) {
    int slot =
        slots.computeIfAbsent(
            organization + metric + "{" + key,
            ignored -> {
              SeriesDescriptor descriptor =
                  new SeriesDescriptor(
                      organization,
                      "env-a",
                      metric,
                      MetricKind.GAUGE,
                      "1",
                      Map.of(),
                      Map.of(key, "1"));
              combiner.addSeries(SeriesKey.of(descriptor), descriptor, limits);
              return slots.size();
            });
    combiner.addValue(slot, timeMs * 1_000_000, value);
  }

  void total(String name, long startMs, long timeMs, double total) {
    combiner.addReading(
        slot(name, MetricKind.COUNTER),
        new Combiner.Batch(0, timeMs, "batch", timeMs),
        0,
        timeMs * 1_000_000,
        startMs * 1_000_000,
        total,
        0,
        null,
        BucketLayout.NONE,
        now);
  }

  /** Observations of a delta histogram. */
  void observations(String name, long timeMs, double sum, Distribution distribution) {
    long count = 0;
    for (int i = 0; i < distribution.size(); i++) {
      count += distribution.count(i);
    }
    combiner.addObservations(
        slot(name, MetricKind.HISTOGRAM), timeMs * 1_000_000, sum, count, NaN, NaN, distribution);
  }

  /** Observations of a cumulative histogram so far. */
  void totalObservations(
      String name, long startMs, long timeMs, double sum, long count, Distribution distribution) {
    combiner.addReading(
        slot(name, MetricKind.EXPONENTIAL_HISTOGRAM),
        new Combiner.Batch(0, timeMs, "batch", timeMs),
        0,
        timeMs * 1_000_000,
        startMs * 1_000_000,
        sum,
        count,
        distribution,
        BucketLayout.ofScale(BucketGrid.SCALE),
        now);
  }

  void announceAgain() {
    for (int slot = 0; slot < slots.size(); slot++) {
      combiner.announceAgain(slot, limits);
    }
  }

  public void flush() {
    combiner.flush(now);
  }

  void watermark(long timeMs) {
    flush();
    panes.watermark(timeMs, now);
    passed = Long.MIN_VALUE;
    reduction.flush(now);
  }

  /** The watermark comes there, and minutes that it completes wait until it follows. */
  void passes(long timeMs) {
    flush();
    panes.passes(timeMs);
    passed = timeMs;
  }

  void clock(long advanceMs) {
    now += advanceMs;
    flush();
    panes.clock(now);
    reduction.flush(now);
  }

  void save() {
    flush();
    if (passed != Long.MIN_VALUE) {
      watermark(passed);
    }
    panes.barrierComes(now);
    storage.save(store);
  }

  /** As the operator does between barriers; returns how many chunks were written. */
  int saveAhead(int most) {
    return saveAhead(most, Long.MIN_VALUE, true);
  }

  int saveAhead(int most, long barrierAt, boolean isNear) {
    return storage.saveAhead(store, most, barrierAt, isNear);
  }

  /** What was emitted or changed since the last save must not be used again by the test. */
  void restart() {
    ledger = new SeriesLedger(1, 1, PlanDefaults.ORGANIZATION);
    routes = new Routes();
    panes = new KeyGroupPanes(PaneTiming.DEFAULT, this, ledger, heads, routes, 0, now);
    storage = new PaneStorage(panes);
    storage.restore(Map.copyOf(stored), now);
    combiner = new Combiner(1, bundle -> panes.accept(bundle, now));
    slots.clear();
  }

  @Override
  public void row(
      RollupLevel level, long window, SeriesState series, PaneAggregate figures, long pane) {
    rows++;
    SeriesDescriptor descriptor = series.descriptor();
    series.head().keepRowText(descriptor.metric().getBytes(UTF_8));
    if (!descriptor.organizationId().equals("org-a")) {
      others.merge(descriptor.metric() + descriptor.attributes() + level + window, 1, Integer::sum);
      return;
    }
    String name = descriptor.metric() + " " + level + " " + window;
    seriesWithRows.add(descriptor.metric() + descriptor.attributes());
    if (Overflow.isOverflow(descriptor) && !Double.isNaN(figures.last)) {
      throw new AssertionError("many series have no last value: " + name);
    }
    added.put(name, added.getOrDefault(name, NOTHING).plus(figures));
    inOrder.add(name);
    if (figures.distribution != null) {
      distributions.computeIfAbsent(name, ignored -> new Distribution()).add(figures.distribution);
    }
    if (!paneIds.add(series.key().hex() + window + "-" + pane)) {
      throw new AssertionError("pane id twice: " + name + " " + pane);
    }
  }

  @Override
  public void split(
      long minute, SeriesState series, PaneAggregate figures, long pane, RouteInterval interval) {
    String name = series.descriptor().metric() + " SPLIT " + minute;
    added.put(name, added.getOrDefault(name, NOTHING).plus(figures));
    seriesWithRows.add("split " + series.descriptor().metric() + series.descriptor().attributes());
    reduction.add(series, interval, minute, figures);
  }

  @Override
  public void emitted(Cause cause, RollupLevel level, int emittedRows) {
    causes.merge(cause, emittedRows, Integer::sum);
  }

  @Override
  public void setAside(
      RejectionReason reason,
      String finding,
      SeriesState series,
      long timeUnixNano,
      PendingReading pending) {
    setAside.add(reason + " " + timeUnixNano / 1_000_000);
  }

  @Override
  public void folded(SeriesDescriptor series, Excess excess) {
    folded.add(series.metric() + " " + excess.budget() + " " + excess.observed());
  }

  @Override
  public void baseline() {}

  @Override
  public void repeated() {}
}
