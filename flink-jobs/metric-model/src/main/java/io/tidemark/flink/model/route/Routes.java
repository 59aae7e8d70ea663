package io.tidemark.flink.model.route;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Split intervals of all metrics, as one subtask holds them. */
public final class Routes {

  /**
   * A point that is older counts in ordinary rows at full detail. Three years: a tenant that keeps
   * data for longer, and then sends points of a minute that was split, has its totals all the same.
   */
  public static final Duration REMEMBERED = Duration.ofDays(1_100);

  private final Map<String, NavigableMap<Long, RouteInterval>> byMetric = new HashMap<>();
  private long version;
  private boolean isFinal;

  /**
   * Intervals that were published before, none of which is forgotten: for what is computed again.
   */
  public static Routes published(List<RouteInterval> intervals) {
    Routes routes = new Routes();
    intervals.forEach(routes::put);
    routes.isFinal = true;
    return routes;
  }

  public boolean isEmpty() {
    return byMetric.isEmpty();
  }

  /** Changes whenever an interval does. */
  public long version() {
    return version;
  }

  /** An interval of the same start replaces the one before. */
  public void put(RouteInterval interval) {
    NavigableMap<Long, RouteInterval> intervals =
        byMetric.computeIfAbsent(interval.metricKey(), ignored -> new TreeMap<>());
    RouteInterval known = intervals.get(interval.validFrom());
    if (known == null || !Arrays.equals(known.encode(), interval.encode())) {
      intervals.put(interval.validFrom(), interval);
      version++;
    }
  }

  /** All intervals of a metric by their start; null when it was never split. */
  public @Nullable NavigableMap<Long, RouteInterval> of(String metricKey) {
    return byMetric.get(metricKey);
  }

  /** The interval that splits a minute; null when it is ordinary. */
  public static @Nullable RouteInterval at(
      NavigableMap<Long, RouteInterval> intervals, long minute) {
    Map.Entry<Long, RouteInterval> last = intervals.floorEntry(minute);
    return last != null && last.getValue().covers(minute) ? last.getValue() : null;
  }

  /** Forgets intervals that no point can belong to any more. */
  public void forget(long now) {
    if (isFinal) {
      return;
    }
    long oldest = now - REMEMBERED.toMillis();
    boolean isAnyGone = false;
    for (NavigableMap<Long, RouteInterval> intervals : byMetric.values()) {
      isAnyGone |= intervals.values().removeIf(interval -> interval.validTo() <= oldest);
    }
    if (isAnyGone) {
      byMetric.values().removeIf(Map::isEmpty);
      version++;
    }
  }

  /** Null when there is none. */
  public byte @Nullable [] encode() {
    if (isEmpty()) {
      return null;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (NavigableMap<Long, RouteInterval> intervals : byMetric.values()) {
        for (RouteInterval interval : intervals.values()) {
          interval.write(out);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed", e);
    }
    return bytes.toByteArray();
  }

  /** Adds what was encoded. */
  public void restore(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      while (in.available() > 0) {
        put(RouteInterval.read(in));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Routes in state are damaged", e);
    }
  }
}
