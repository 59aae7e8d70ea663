package io.tidemark.platform.catalog;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.platform.catalog.Sightings.MetricKey;
import io.tidemark.platform.catalog.Sightings.MetricObservation;
import io.tidemark.platform.catalog.Sightings.ResourceKey;
import io.tidemark.platform.catalog.Sightings.ResourceObservation;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Writes what was seen to the database, as far as it says something new: a name, a label, a kind,
 * or a time ten minutes later. What was written is remembered, so that rows of a metric cost
 * nothing there most of the time. An environment has at most 10,000 metrics that were seen and
 * 10,000 resources; further ones are left out, so that names made up without end fill nothing.
 */
@Component
public class SightingRecorder {

  static final int MAX = 10_000;

  private static final long STEP_MS = Duration.ofMinutes(10).toMillis();
  private static final int REMEMBERED = 200_000;

  private record EnvironmentRef(TenantId organization, EnvironmentId environment) {}

  /**
   * Rows are locked in one order by all instances, so that none waits for one that waits for it.
   */
  private static final Comparator<EnvironmentRef> PLACES =
      Comparator.comparing(place -> place.environment().value());

  private static final Comparator<Map.Entry<MetricKey, MetricObservation>> METRICS =
      Comparator.comparing(entry -> entry.getKey().name());
  private static final Comparator<Map.Entry<ResourceKey, ResourceObservation>> RESOURCES =
      Comparator.<Map.Entry<ResourceKey, ResourceObservation>, String>comparing(
              entry -> entry.getKey().type())
          .thenComparing(entry -> entry.getKey().name());

  private final TenantTransactions transactions;
  private final JdbcSightings rows;
  private final Clock clock;
  private final int most;
  private final Cache<MetricKey, MetricObservation> metrics = memory();
  private final Cache<ResourceKey, ResourceObservation> resources = memory();

  @Autowired
  SightingRecorder(TenantTransactions transactions, JdbcSightings rows, Clock clock) {
    this(transactions, rows, clock, MAX);
  }

  SightingRecorder(TenantTransactions transactions, JdbcSightings rows, Clock clock, int most) {
    this.most = most;
    this.transactions = transactions;
    this.rows = rows;
    this.clock = clock;
  }

  /** Forgets after an hour, so that what somebody deleted comes back when it is sent again. */
  private static <K, V> Cache<K, V> memory() {
    return Caffeine.newBuilder()
        .maximumSize(REMEMBERED)
        .expireAfterWrite(Duration.ofHours(1))
        .build();
  }

  /** Writes what is new. May be called again with the same when it fails. */
  public void record(Sightings seen) {
    Map<TenantId, Set<EnvironmentRef>> places = new HashMap<>();
    Sightings news = new Sightings();
    seen.metrics()
        .forEach(
            (key, metric) -> {
              MetricObservation written = metrics.getIfPresent(key);
              if (written == null || metric.addsTo(written, STEP_MS)) {
                news.metrics().put(key, metric);
                place(places, key.organization(), key.environment());
              }
            });
    seen.resources()
        .forEach(
            (key, resource) -> {
              ResourceObservation written = resources.getIfPresent(key);
              if (written == null || resource.addsTo(written, STEP_MS)) {
                news.resources().put(key, resource);
                place(places, key.organization(), key.environment());
              }
            });
    places.forEach(
        (organization, ofOrganization) -> {
          transactions.run(organization, () -> ofOrganization.forEach(place -> write(place, news)));
        });
    news.metrics().forEach(this::remember);
    news.resources().forEach(this::remember);
  }

  private static void place(
      Map<TenantId, Set<EnvironmentRef>> places, TenantId organization, EnvironmentId environment) {
    places
        .computeIfAbsent(organization, unknown -> new TreeSet<>(PLACES))
        .add(new EnvironmentRef(organization, environment));
  }

  private void remember(MetricKey key, MetricObservation added) {
    MetricObservation before = metrics.getIfPresent(key);
    MetricObservation after = Sightings.copy(added);
    if (before != null) {
      MetricObservation both = Sightings.copy(before);
      both.add(added);
      after = both;
    }
    metrics.put(key, after);
  }

  private void remember(ResourceKey key, ResourceObservation added) {
    ResourceObservation after = Sightings.copy(added);
    ResourceObservation before = resources.getIfPresent(key);
    if (before != null) {
      after.add(before);
    }
    resources.put(key, after);
  }

  private void write(EnvironmentRef place, Sightings news) {
    long knownMetrics = rows.metrics(place.organization(), place.environment());
    for (Map.Entry<MetricKey, MetricObservation> entry : sorted(news.metrics(), METRICS)) {
      MetricKey key = entry.getKey();
      if (isOf(place, key.organization(), key.environment())
          && rows.add(
              place.organization(),
              place.environment(),
              key.name(),
              entry.getValue().sighting(),
              knownMetrics < most)) {
        knownMetrics++;
      }
    }
    long knownResources = rows.resources(place.organization(), place.environment());
    for (Map.Entry<ResourceKey, ResourceObservation> entry : sorted(news.resources(), RESOURCES)) {
      ResourceKey key = entry.getKey();
      if (isOf(place, key.organization(), key.environment())
          && rows.add(
              place.organization(),
              place.environment(),
              key.type(),
              key.name(),
              entry.getValue().first(),
              entry.getValue().last(),
              clock.instant(),
              knownResources < most)) {
        knownResources++;
      }
    }
  }

  private static <K, V> List<Map.Entry<K, V>> sorted(
      Map<K, V> entries, Comparator<Map.Entry<K, V>> order) {
    return entries.entrySet().stream().sorted(order).toList();
  }

  private static boolean isOf(
      EnvironmentRef place, TenantId organization, EnvironmentId environment) {
    return place.organization().equals(organization) && place.environment().equals(environment);
  }
}
