package io.tidemark.platform.query.application;

import io.tidemark.platform.query.application.ReadSeries.ExportRequest;
import io.tidemark.platform.query.application.ReadSeries.ResourceFilter;
import io.tidemark.platform.query.application.ReadSeries.SeenResource;
import io.tidemark.platform.query.domain.ExportText;
import io.tidemark.platform.query.domain.ExportedSeries;
import io.tidemark.platform.query.domain.Figures;
import io.tidemark.platform.query.domain.Lane;
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

/** Writes one minute of resources for a scraper, and tells scrapers what there is to scrape. */
public final class ExportingMetrics {

  private static final Duration LATENCY = Duration.ofMinutes(3);
  private static final Duration STANDING_STILL = Duration.ofHours(1);
  private static final Duration KNOWN = Duration.ofDays(1);
  private static final int GREATEST_POINTS = 60_000;

  private final ReadSeries series;
  private final PipelineProgress progress;
  private final CostGuard guard;
  private final int greatestRows;
  private final Clock clock;

  /** The use case. */
  public ExportingMetrics(
      ReadSeries series,
      PipelineProgress progress,
      CostGuard guard,
      int greatestRows,
      Clock clock) {
    this.series = series;
    this.progress = progress;
    this.guard = guard;
    this.greatestRows = greatestRows;
    this.clock = clock;
  }

  /** Whose points, by type of resource. */
  public record Wish(Map<String, Set<String>> resources, Set<String> metrics) {}

  /**
   * The text of one minute.
   *
   * @throws ProblemException {@code invalid_query} without a resource, {@code forbidden} when all
   *     resources are unknown to the organisation
   */
  public String export(Caller caller, String dataset, Wish wish, ExportText.Form form) {
    Readable readable = Datasets.readableBy(caller, dataset);
    TenantId organization = readable.organization();
    if (wish.resources().isEmpty()) {
      throw ProblemException.of(
          ErrorCode.INVALID_QUERY,
          "A parameter resource.<type>.id is required, for example resource.kafka.id=lkc-1.");
    }
    Instant minute = minute(organization);
    ExportText text = new ExportText(form, minute);
    Map<SeenResource, Boolean> access = new HashMap<>();
    try (var turn = guard.enter(organization, Lane.EXPORT)) {
      wish.resources()
          .forEach(
              (type, ids) ->
                  export(
                      readable,
                      new ExportRequest(minute, type, ids, wish.metrics(), greatestRows),
                      text,
                      access));
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
      Readable readable,
      ExportRequest request,
      ExportText text,
      Map<SeenResource, Boolean> access) {
    List<ExportedSeries> rows = series.minute(readable, request);
    Set<String> seen = new TreeSet<>();
    Map<String, Integer> points = new TreeMap<>();
    Set<String> cut = new TreeSet<>();
    for (ExportedSeries row : added(rows)) {
      seen.add(row.resourceId());
      if (points.merge(row.metric(), 1, Integer::sum) > GREATEST_POINTS) {
        cut.add(row.metric());
      } else {
        text.add(row);
      }
    }
    if (rows.size() >= request.limit()) {
      cut.addAll(points.keySet());
    }
    for (String metric : cut) {
      text.sample(
          "tidemark_export_truncated",
          "1 when points of a metric are missing because there are too many",
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
      access.put(new SeenResource(request.resourceType(), id), known.contains(id));
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
            Figures sum = one.figures();
            sum.add(other.figures());
            return one;
          });
    }
    return List.copyOf(bySeries.values());
  }

  /** The newest whole minute that will hardly change any more. */
  private Instant minute(TenantId organization) {
    Instant now = clock.instant();
    return progress
        .completeUntil(organization)
        .filter(until -> until.isAfter(now.minus(STANDING_STILL)))
        .map(until -> until.isBefore(now) ? until : now)
        .map(until -> until.truncatedTo(ChronoUnit.MINUTES).minus(1, ChronoUnit.MINUTES))
        .orElseGet(() -> now.minus(LATENCY).truncatedTo(ChronoUnit.MINUTES));
  }

  /** Ids of the resources that can be scraped, by type. */
  public Map<String, Set<String>> discover(Caller caller, String dataset, ResourceFilter filter) {
    Readable readable = Datasets.readableBy(caller, dataset);
    Map<String, Set<String>> found = new TreeMap<>();
    for (SeenResource resource : series.resources(readable, KNOWN, filter)) {
      found.computeIfAbsent(resource.type(), ignored -> new TreeSet<>()).add(resource.id());
    }
    return found;
  }
}
