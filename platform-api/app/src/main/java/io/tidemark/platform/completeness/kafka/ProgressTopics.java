package io.tidemark.platform.completeness.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.contracts.pipeline.v1.Complete;
import io.tidemark.contracts.pipeline.v1.Lagging;
import io.tidemark.contracts.pipeline.v1.Progress;
import io.tidemark.contracts.pipeline.v1.Revised;
import io.tidemark.contracts.routes.v1.Route;
import io.tidemark.contracts.routes.v1.RouteInterval;
import io.tidemark.platform.completeness.CompletenessProgress;
import io.tidemark.platform.metricstore.Level;
import io.tidemark.platform.metricstore.SplitInterval;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the records of pipeline.watermarks.v1 and pipeline.routes.v1 say so far. One writer. */
final class ProgressTopics {

  private static final Logger LOG = LoggerFactory.getLogger(ProgressTopics.class);

  /** Windows of metrics remembered as revised, of a tenant and level. */
  private static final int MAX_REVISED = 50_000;

  /** The same of all, so that memory does not grow with the number of tenants. */
  static final int MAX_REVISED_OF_ALL = 100_000;

  private record LateKey(String organization, Level level) {}

  private volatile CompletenessProgress stated = CompletenessProgress.NOTHING;
  private final Map<LateKey, RevisedWindows> late = new ConcurrentHashMap<>();
  private int revisedOfAll;

  /** Split intervals by key of record, by organisation. */
  private final Map<String, Map<String, SplitInterval>> splits = new ConcurrentHashMap<>();

  CompletenessProgress stated() {
    return stated;
  }

  /** Empty before the first statement. */
  Optional<Instant> committedUntil(String organization) {
    long until = stated.of(organization);
    return until > 0 ? Optional.of(Instant.ofEpochMilli(until)) : Optional.empty();
  }

  NavigableMap<Long, Map<String, Long>> lateRows(String organization, Level level) {
    RevisedWindows windows = late.get(new LateKey(organization, level));
    return windows == null ? Collections.emptyNavigableMap() : windows.rows();
  }

  List<SplitInterval> splits(String organization, Optional<String> metric) {
    return splits.getOrDefault(organization, Map.of()).values().stream()
        .filter(split -> metric.isEmpty() || metric.get().equals(split.metric()))
        .toList();
  }

  void progress(byte[] value) {
    try {
      Progress record = Progress.parseFrom(value);
      switch (record.getProgressCase()) {
        case COMPLETE -> complete(record.getComplete());
        case REVISED -> revised(record.getRevised());
        case PROGRESS_NOT_SET -> LOG.warn("A record of the watermarks topic says nothing");
      }
    } catch (InvalidProtocolBufferException unreadable) {
      LOG.warn("A record of the watermarks topic cannot be read", unreadable);
    }
  }

  private void complete(Complete complete) {
    Map<String, Long> lagging = new HashMap<>();
    for (Lagging lag : complete.getLaggingList()) {
      lagging.put(lag.getOrganizationId(), lag.getCompleteUntilUnixMs());
    }
    stated = stated.after(complete.getCompleteUntilUnixMs(), lagging);
  }

  private void revised(Revised revised) {
    Level level =
        switch (revised.getLevel()) {
          case LEVEL_HOUR -> Level.HOUR;
          case LEVEL_DAY -> Level.DAY;
          case LEVEL_MINUTE, LEVEL_UNSPECIFIED, UNRECOGNIZED -> Level.MINUTE;
        };
    RevisedWindows windows =
        late.computeIfAbsent(
            new LateKey(revised.getOrganizationId(), level),
            ignored -> new RevisedWindows(MAX_REVISED));
    int before = windows.size();
    windows.add(revised.getWindowUnixMs(), revised.getMetric(), revised.getRows());
    revisedOfAll += windows.size() - before;
    while (revisedOfAll > MAX_REVISED_OF_ALL) {
      forgetOfTheLargest();
    }
  }

  /** Who has few late rows loses nothing to who has many. */
  private void forgetOfTheLargest() {
    RevisedWindows largest =
        Collections.max(late.values(), Comparator.comparingInt(RevisedWindows::size));
    int before = largest.size();
    // A tenth at once: finding the largest takes a look at all.
    largest.shrinkTo(before - Math.max(1, before / 10));
    revisedOfAll += largest.size() - before;
  }

  void route(byte[] key, byte[] value) {
    String name = key == null ? "" : new String(key, StandardCharsets.UTF_8);
    String organization = name.substring(0, Math.max(0, name.indexOf('/')));
    Map<String, SplitInterval> own =
        splits.computeIfAbsent(organization, ignored -> new ConcurrentHashMap<>());
    if (value == null) {
      own.remove(name);
      return;
    }
    try {
      RouteInterval route = RouteInterval.parseFrom(value);
      if (route.getRoute() != Route.ROUTE_SPLIT) {
        own.remove(name);
        return;
      }
      own.put(
          name,
          new SplitInterval(
              route.getEnvironmentId(),
              route.getMetric(),
              route.getValidFromUnixMs(),
              route.getValidToUnixMs() == 0 ? Long.MAX_VALUE / 4 : route.getValidToUnixMs(),
              Set.copyOf(new HashSet<>(route.getLabelsList()))));
    } catch (InvalidProtocolBufferException unreadable) {
      LOG.warn("A record of the routes topic cannot be read", unreadable);
    }
  }
}
