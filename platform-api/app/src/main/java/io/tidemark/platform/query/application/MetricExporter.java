package io.tidemark.platform.query.application;

import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.ExportedSeries;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.metricstore.SeriesStore;
import io.tidemark.platform.metricstore.SeriesStore.ExportRequest;
import io.tidemark.platform.metricstore.SeriesStore.ResourceFilter;
import io.tidemark.platform.metricstore.SeriesStore.StoredResource;
import io.tidemark.platform.query.domain.ExportText;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Writes one minute of resources for a scraper, and lists scrape targets. */
public final class MetricExporter {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** No scraper stores what is older. */
  private static final Duration STANDING_STILL = Duration.ofHours(1);

  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  private static final Duration KNOWN = Duration.ofDays(1);
  private static final int MAX_POINTS = 60_000;

  private final SeriesStore series;
  private final PipelineProgress progress;
  private final CostGuard guard;
  private final int maxRows;
  private final Clock clock;

  /** The use case. */
  public MetricExporter(
      SeriesStore series, PipelineProgress progress, CostGuard guard, int maxRows, Clock clock) {
    this.series = series;
    this.progress = progress;
    this.guard = guard;
    this.maxRows = maxRows;
    this.clock = clock;
  }

  /** Whose points, by type of resource. */
  public record Wish(Map<String, Set<String>> resources, Set<String> metrics) {}

  /**
   * The text of the newest minute that is complete, before its rows are read and afterwards: a
   * scraper has no means to be told that a minute lacks rows.
   *
   * @throws ProblemException {@code invalid_query} without a resource, {@code forbidden} when all
   *     resources are unknown to the organisation, {@code store_unavailable} while it is not known
   *     which minute is complete, or none of the last hour is
   */
  public String export(Caller caller, String dataset, Wish wish, ExportText.Form form) {
    QueryScope readable = Datasets.readableBy(caller, dataset);
    TenantId organization = readable.organization();
    if (wish.resources().isEmpty()) {
      throw ProblemException.of(
          ErrorCode.INVALID_QUERY,
          "A parameter resource.<type>.id is required, for example resource.kafka.id=lkc-1.");
    }
    Instant minute = newest(completeUntil(organization));
    ExportText text = new ExportText(form, minute);
    Map<StoredResource, Boolean> access = new HashMap<>();
    try (var turn = guard.enter(organization, Lane.EXPORT)) {
      wish.resources()
          .forEach(
              (type, ids) ->
                  export(
                      readable,
                      new ExportRequest(minute, type, ids, wish.metrics(), maxRows),
                      text,
                      access));
    }
    if (newest(completeUntil(organization)).isBefore(minute)) {
      throw unknown();
    }
    if (access.values().stream().noneMatch(isKnown -> isKnown)) {
      throw ProblemException.of(
          ErrorCode.FORBIDDEN,
          "None of the resources has sent metrics to this organisation within the last day.");
    }
    access.forEach(
        (resource, isKnown) ->
            text.sample(
                "confluent_scrape_resource_access_error",
                "1 when the organisation has no such resource",
                Map.of("resource_id", resource.id(), "resource_type", resource.type()),
                isKnown ? 0 : 1));
    return text.text();
  }

  private void export(
      QueryScope readable,
      ExportRequest request,
      ExportText text,
      Map<StoredResource, Boolean> access) {
    List<ExportedSeries> rows = series.minute(readable, request);
    Set<String> seen = new TreeSet<>();
    Map<String, Integer> points = new TreeMap<>();
    Set<String> cut = new TreeSet<>();
    for (ExportedSeries row : added(rows)) {
      seen.add(row.resourceId());
      if (points.merge(row.metric(), 1, Integer::sum) > MAX_POINTS || !text.add(row)) {
        cut.add(row.metric());
      }
    }
    if (rows.size() >= request.limit()) {
      cut.addAll(points.keySet());
    }
    for (String metric : cut) {
      text.sample(
          "tidemark_export_truncated",
          "1 when points of a metric are missing: too many, or of a name that another has too",
          Map.of("metric", metric, "resource_type", request.resourceType()),
          1);
    }
    Set<String> known = new TreeSet<>(seen);
    if (!seen.containsAll(request.ids())) {
      series
          .resources(
              readable,
              KNOWN,
              new ResourceFilter(
                  Optional.empty(), Optional.empty(), Optional.of(request.resourceType())))
          .forEach(resource -> known.add(resource.id()));
    }
    for (String id : request.ids()) {
      access.put(new StoredResource(request.resourceType(), id), known.contains(id));
    }
  }

  /** A late point is a row of its own beside that of its series. */
  private static List<ExportedSeries> added(List<ExportedSeries> rows) {
    Map<String, ExportedSeries> bySeries = new TreeMap<>();
    for (ExportedSeries row : rows) {
      bySeries.merge(
          row.metric() + " " + new TreeMap<>(row.labels()),
          row,
          (one, other) -> {
            AggregateState sum = one.figures();
            sum.add(other.figures());
            return one;
          });
    }
    return List.copyOf(bySeries.values());
  }

  /** At most the clock's time. */
  private Instant completeUntil(TenantId organization) {
    Instant now = clock.instant();
    Instant until = progress.completeUntil(organization).orElseThrow(MetricExporter::unknown);
    if (until.isBefore(now.minus(STANDING_STILL))) {
      throw ProblemException.passing(
          null,
          ErrorCode.STORE_UNAVAILABLE,
          "Rows are complete up to "
              + until
              + " only, which is too old to be scraped. Try again in some minutes.",
          MINUTE);
    }
    return until.isBefore(now) ? until : now;
  }

  private static Instant newest(Instant completeUntil) {
    return completeUntil.truncatedTo(ChronoUnit.MINUTES).minus(MINUTE);
  }

  private static ProblemException unknown() {
    return ProblemException.passing(
        null,
        ErrorCode.STORE_UNAVAILABLE,
        "It is not known now which minute is complete: the store is reading rows again. Try again"
            + " in some seconds.",
        RETRY_AFTER);
  }

  /** Ids of the resources that can be scraped, by type. */
  public Map<String, Set<String>> discover(Caller caller, String dataset, ResourceFilter filter) {
    QueryScope readable = Datasets.readableBy(caller, dataset);
    Map<String, Set<String>> found = new TreeMap<>();
    for (StoredResource resource : series.resources(readable, KNOWN, filter)) {
      found.computeIfAbsent(resource.type(), ignored -> new TreeSet<>()).add(resource.id());
    }
    return found;
  }
}
