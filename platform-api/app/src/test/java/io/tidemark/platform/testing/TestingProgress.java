package io.tidemark.platform.testing;

import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.completeness.ReadProgress;
import io.tidemark.platform.metricstore.Level;
import io.tidemark.platform.metricstore.SplitInterval;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the pipeline says, as tests want it. */
public final class TestingProgress implements PipelineProgress {

  private final Map<Level, NavigableMap<Long, Map<String, Long>>> late = new EnumMap<>(Level.class);
  private final List<SplitInterval> splits = new CopyOnWriteArrayList<>();
  private volatile Instant completeUntil;
  private volatile Instant committedUntil;
  private volatile Instant lakeCompleteUntil;
  private volatile ReadProgress read = ReadProgress.NOT_LOOKED_AT;

  public void completeUntil(Instant time) {
    completeUntil = time;
  }

  /** As while the store reads rows again. */
  public void nothingIsKnown() {
    completeUntil = null;
    committedUntil = null;
    lakeCompleteUntil = null;
  }

  public void committedUntil(Instant time) {
    committedUntil = time;
  }

  public void lakeCompleteUntil(Instant time) {
    lakeCompleteUntil = time;
  }

  public void read(Instant until, boolean isBehind) {
    read = new ReadProgress(Optional.of(until), isBehind);
  }

  public void late(Level level, Instant window, String metric, long rows) {
    late.computeIfAbsent(level, ignored -> new TreeMap<>())
        .computeIfAbsent(window.toEpochMilli(), ignored -> new TreeMap<>())
        .put(metric, rows);
  }

  public void split(SplitInterval split) {
    splits.add(split);
  }

  @Override
  public Optional<Instant> completeUntil(TenantId organization) {
    return Optional.ofNullable(completeUntil);
  }

  @Override
  public Optional<Instant> committedUntil(TenantId organization) {
    return Optional.ofNullable(committedUntil);
  }

  @Override
  public Optional<Instant> lakeCompleteUntil(TenantId organization) {
    return Optional.ofNullable(lakeCompleteUntil);
  }

  @Override
  public ReadProgress read() {
    return read;
  }

  @Override
  public NavigableMap<Long, Map<String, Long>> lateRows(TenantId organization, Level level) {
    return late.getOrDefault(level, new TreeMap<>());
  }

  @Override
  public List<SplitInterval> splits(TenantId organization, Optional<String> metric) {
    return splits.stream()
        .filter(split -> metric.isEmpty() || metric.get().equals(split.metric()))
        .toList();
  }
}
