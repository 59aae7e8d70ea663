package io.tidemark.platform.catalog;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What rows show of metrics and resources, added up. Rows may come twice and in any order: the same
 * rows give the same sightings.
 */
public final class Sightings {

  /** A metric of an environment. */
  record MetricKey(TenantId organization, EnvironmentId environment, String name) {}

  /** A resource of an environment. */
  record ResourceKey(TenantId organization, EnvironmentId environment, String type, String name) {}

  /** What was seen of a metric. */
  static final class MetricObservation {

    private final SortedSet<String> labels = new TreeSet<>();
    private @Nullable MetricType type;
    private String unit = "";
    private boolean isComplete = true;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    MetricSighting sighting() {
      return new MetricSighting(
          type,
          unit,
          java.util.List.copyOf(labels),
          isComplete,
          Instant.ofEpochMilli(first),
          Instant.ofEpochMilli(last));
    }

    /** Whether this adds something to what was written; times count in steps. */
    boolean addsTo(MetricObservation written, long stepMs) {
      return (last >= written.last && (type != written.type || !unit.equals(written.unit)))
          || first < written.first
          || last >= written.last + stepMs
          || (written.isComplete && !(isComplete && written.labels.containsAll(labels)));
    }

    void add(MetricObservation more) {
      add(more.type, more.unit, more.first, more.last);
      more.labels.forEach(this::label);
      isComplete &= more.isComplete;
    }

    private void add(@Nullable MetricType newType, String newUnit, long from, long to) {
      if (to >= last) {
        type = newType;
        unit = newUnit;
      }
      first = Math.min(first, from);
      last = Math.max(last, to);
    }

    private void label(String name) {
      if (!labels.contains(name)) {
        if (labels.size() < MetricSighting.MAX_LABELS && CatalogName.fits(name)) {
          labels.add(name);
        } else {
          isComplete = false;
        }
      }
    }
  }

  /** When a resource was seen. */
  static final class ResourceObservation {

    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    Instant first() {
      return Instant.ofEpochMilli(first);
    }

    Instant last() {
      return Instant.ofEpochMilli(last);
    }

    boolean addsTo(ResourceObservation written, long stepMs) {
      return first < written.first || last >= written.last + stepMs;
    }

    void add(ResourceObservation more) {
      add(more.first, more.last);
    }

    private void add(long from, long to) {
      first = Math.min(first, from);
      last = Math.max(last, to);
    }
  }

  private final Map<MetricKey, MetricObservation> metrics = new HashMap<>();
  private final Map<ResourceKey, ResourceObservation> resources = new HashMap<>();

  Map<MetricKey, MetricObservation> metrics() {
    return metrics;
  }

  Map<ResourceKey, ResourceObservation> resources() {
    return resources;
  }

  /** Number of metrics and resources. */
  public int size() {
    return metrics.size() + resources.size();
  }

  /**
   * Adds a row.
   *
   * @param minute start of the row's window, milliseconds since the Unix epoch
   * @param type as rows name it
   * @param labels names of point attributes
   */
  public void add(
      String organization,
      String environment,
      @Nullable String metric,
      @Nullable String type,
      String unit,
      String resourceType,
      String resourceId,
      Iterable<String> labels,
      long minute) {
    TenantId tenant = new TenantId(organization);
    EnvironmentId place = new EnvironmentId(environment);
    if (metric != null && CatalogName.fits(metric)) {
      MetricObservation seen =
          metrics.computeIfAbsent(
              new MetricKey(tenant, place, metric), unknown -> new MetricObservation());
      seen.add(MetricType.named(type), unit.replace("\0", ""), minute, minute);
      labels.forEach(seen::label);
    }
    boolean isNamed = !(resourceType.equals("unknown") && resourceId.equals("unknown"));
    if (isNamed && CatalogName.fits(resourceType) && CatalogName.fits(resourceId)) {
      resources
          .computeIfAbsent(
              new ResourceKey(tenant, place, resourceType, resourceId),
              unknown -> new ResourceObservation())
          .add(minute, minute);
    }
  }

  /** Adds a copy of what the other has of one metric. */
  static MetricObservation copy(MetricObservation seen) {
    MetricObservation copy = new MetricObservation();
    copy.add(seen);
    return copy;
  }

  static ResourceObservation copy(ResourceObservation seen) {
    ResourceObservation copy = new ResourceObservation();
    copy.add(seen);
    return copy;
  }
}
