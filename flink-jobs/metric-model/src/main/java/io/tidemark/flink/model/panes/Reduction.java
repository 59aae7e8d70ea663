package io.tidemark.flink.model.panes;

import io.tidemark.flink.model.budget.TenantLimits;
import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Minutes of split series, added up without the labels that have many values, on their way to the
 * panes of the reduced series. Nothing may wait over a barrier or a watermark: flush at the end of
 * every call. Figures of many series have no last value.
 */
public final class Reduction {

  /** Reduced series remembered; then all are forgotten, and announced anew. */
  private static final int MAX_SERIES = 100_000;

  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final Combiner combiner;
  private final Map<SeriesKey, Integer> slots = new HashMap<>();
  private int generation = 1;

  public Reduction(int keyGroups, Consumer<byte[]> out) {
    this.combiner = new Combiner(keyGroups, out);
  }

  public void add(SeriesState one, RouteInterval split, long minute, PaneAggregate figures) {
    if (one.reducedGeneration != generation || one.reducedBy != split) {
      one.reducedSlot = slot(one.descriptor(), split);
      one.reducedGeneration = generation;
      one.reducedBy = split;
    }
    combiner.addObservations(
        one.reducedSlot,
        minute * NANOS_PER_MILLI,
        figures.sum,
        figures.count,
        figures.min,
        figures.max,
        figures.distribution);
  }

  public void flush(long now) {
    if (combiner.isEmpty()) {
      return;
    }
    combiner.flush(now);
    if (slots.size() > MAX_SERIES) {
      slots.clear();
      combiner.forget();
      generation++;
    }
  }

  private int slot(SeriesDescriptor series, RouteInterval split) {
    SeriesDescriptor reduced = reduced(series, split.labels());
    SeriesKey key = SeriesKey.of(reduced);
    Integer known = slots.putIfAbsent(key, slots.size());
    if (known != null) {
      return known;
    }
    combiner.addSeries(key, reduced, TenantLimits.NONE);
    return slots.size() - 1;
  }

  static SeriesDescriptor reduced(SeriesDescriptor series, String[] labels) {
    Map<String, String> rest = new TreeMap<>(series.attributes());
    for (String label : labels) {
      rest.remove(label);
    }
    return new SeriesDescriptor(
        series.organizationId(),
        series.environmentId(),
        series.metric(),
        series.kind(),
        series.unit(),
        series.resource(),
        rest);
  }
}
