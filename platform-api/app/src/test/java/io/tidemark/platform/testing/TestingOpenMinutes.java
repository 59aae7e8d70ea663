package io.tidemark.platform.testing;

import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.Distribution;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.MetricKind;
import io.tidemark.platform.metricstore.OpenMinuteCell;
import io.tidemark.platform.metricstore.OpenMinutes;
import io.tidemark.platform.metricstore.OpenMinutesState;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingStore.RawPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Open minutes made of raw points, as the pipeline would show them. */
public final class TestingOpenMinutes implements OpenMinutes {

  private record Key(
      String organization, String metric, String series, long minute, Map<String, String> labels) {}

  private final Map<String, Map.Entry<Key, List<RawPoint>>> cells = new TreeMap<>();
  private volatile OpenMinutesState state = OpenMinutesState.SHOWN;

  /** What is said of all answers from now on. */
  public void state(OpenMinutesState now) {
    state = now;
  }

  /** Shows a point in the cell of its series and minute. */
  public void show(RawPoint point) {
    long minute = Math.floorDiv(point.time().toEpochMilli(), 60_000L) * 60_000L;
    Map<String, String> labels = new TreeMap<>(point.labels());
    String series = point.environment() + labels;
    labels.put(LabelKey.ENVIRONMENT.value(), point.environment());
    Key key = new Key(point.organization(), point.metric(), series, minute, labels);
    cells
        .computeIfAbsent(key.toString(), ignored -> Map.entry(key, new ArrayList<>()))
        .getValue()
        .add(point);
  }

  @Override
  public OpenMinutesView shown(
      TenantId organization,
      Optional<String> metric,
      IntervalSet minutes,
      Predicate<Map<String, String>> wanted) {
    List<OpenMinuteCell> shown = new ArrayList<>();
    for (Map.Entry<Key, List<RawPoint>> cell : cells.values()) {
      Key key = cell.getKey();
      if (key.organization().equals(organization.value())
          && metric.map(key.metric()::equals).orElse(true)
          && minutes.list().stream()
              .anyMatch(span -> span.from() <= key.minute() && key.minute() < span.to())
          && wanted.test(key.labels())) {
        AggregateState all = new AggregateState();
        cell.getValue().forEach(point -> all.add(figures(point)));
        shown.add(new OpenMinuteCell(key.minute(), key.series(), key.labels(), all));
      }
    }
    return new OpenMinutesView(state, shown);
  }

  private static AggregateState figures(RawPoint point) {
    AggregateState figures = AggregateState.of(point.value());
    figures.last = point.value();
    figures.lastAt = point.time().toEpochMilli();
    if (point.bucket() != null) {
      figures.distribution = new Distribution();
      figures.distribution.add("3|" + point.bucket() + ":1", 1);
    }
    return figures;
  }

  @Override
  public Set<MetricKind> kindsOf(TenantId organization, String metric) {
    return Set.of();
  }
}
