package io.tidemark.platform.deletion.druid;

import io.tidemark.platform.deletion.DeletableRows;
import io.tidemark.platform.deletion.DeletionProperties;
import io.tidemark.platform.druid.DruidJsonClient;
import io.tidemark.platform.druid.UnavailableSegments;
import io.tidemark.platform.retention.RowFilters;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/**
 * Rows of Druid. They are removed by compaction with a filter, which writes segments again without
 * them and carries on what is appended meanwhile; a stretch of time of which nothing is left
 * becomes empty segments.
 */
@Component
class DruidDeletableRows implements DeletableRows {

  private static final String EVER = "0000-01-01T00:00:00.000Z/5000-01-01T00:00:00.000Z";

  /** Segments of one task, by the time that they are of: it is to end within minutes. */
  private static final int MAX_INTERVALS = 48;

  private final DruidJsonClient broker;
  private final DruidJsonClient coordinator;
  private final UnavailableSegments unavailable;

  DruidDeletableRows(DeletionProperties properties) {
    this.broker = new DruidJsonClient(properties.druid());
    this.coordinator = new DruidJsonClient(properties.druidCoordinator());
    this.unavailable = new UnavailableSegments(coordinator::get);
  }

  @Override
  public Found find(String datasource, Map<String, Object> filter) {
    JsonNode answer = query(datasource, filter, EVER, "all");
    if (!answer.isArray()) {
      // Not to be taken for no rows.
      throw ProblemException.of(
          ErrorCode.STORE_FAILED, "The metric store did not count rows. It is tried again.");
    }
    JsonNode result = answer.path(0).path("result");
    if (result.path("rows").asLong(0) == 0) {
      return new Found(0, 0, null, null);
    }
    return new Found(
        result.path("panes").asLong(),
        result.path("points").asLong(),
        Instant.ofEpochMilli(result.path("oldest").asLong()),
        Instant.ofEpochMilli(result.path("newest").asLong()));
  }

  private JsonNode query(
      String datasource, Map<String, Object> filter, String interval, String granularity) {
    return broker.post(
        "/druid/v2/",
        Map.of(
            "queryType",
            "timeseries",
            "dataSource",
            datasource,
            "intervals",
            List.of(interval),
            "granularity",
            granularity,
            "filter",
            filter,
            "aggregations",
            List.of(
                Map.of("type", "count", "name", "rows"),
                Map.of("type", "longSum", "name", "panes", "fieldName", "panes"),
                Map.of("type", "longSum", "name", "points", "fieldName", "count"),
                Map.of("type", "longMin", "name", "oldest", "fieldName", "__time"),
                Map.of("type", "longMax", "name", "newest", "fieldName", "__time")),
            "context",
            Map.of("timeout", DruidJsonClient.TIMEOUT.toMillis(), "skipEmptyBuckets", true)));
  }

  @Override
  public boolean isWhole(String datasource) {
    return unavailable.count(List.of(datasource)).getOrDefault(datasource, 0L) == 0;
  }

  @Override
  public Optional<String> beginWithout(String datasource, Map<String, Object> filter) {
    Found found = find(datasource, filter);
    if (found.oldest() == null) {
      return Optional.empty();
    }
    List<Interval> published =
        published(
            datasource,
            new Interval(found.oldest(), Objects.requireNonNull(found.newest()).plusMillis(1)));
    List<Instant> times = new ArrayList<>();
    if (!published.isEmpty()) {
      String finest = granularityOf(datasource);
      query(datasource, filter, EVER, finest)
          .forEach(bucket -> times.add(Instant.parse(bucket.path("timestamp").asString())));
    }
    Interval run = null;
    int taken = 0;
    for (Interval interval : published) {
      boolean hasRows = times.stream().anyMatch(interval::overlaps);
      boolean joins = run != null && !interval.start().isAfter(run.end());
      if (run != null && (!hasRows || !joins || taken == MAX_INTERVALS)) {
        break;
      }
      if (hasRows) {
        run = run == null ? interval : run.with(interval);
        taken++;
      }
    }
    return run == null ? Optional.empty() : Optional.of(compact(datasource, run, filter));
  }

  /**
   * A stretch of time.
   *
   * @param end exclusive
   */
  private record Interval(Instant start, Instant end) {

    static Interval of(String text) {
      String[] parts = text.split("/", 2);
      return new Interval(Instant.parse(parts[0]), Instant.parse(parts[1]));
    }

    /** Whether a bucket that begins at the time is part of it: buckets are no longer than it. */
    boolean overlaps(Instant bucket) {
      return !bucket.isBefore(start) && bucket.isBefore(end);
    }

    Interval with(Interval next) {
      return new Interval(start, next.end().isAfter(end) ? next.end() : end);
    }

    @Override
    public String toString() {
      return start + "/" + end;
    }
  }

  /** Stretches of published segments that overlap a given one, in their order. */
  private List<Interval> published(String datasource, Interval within) {
    Map<Instant, Interval> found = new TreeMap<>();
    coordinator
        .find(
            "/druid/coordinator/v1/metadata/datasources/" + datasource + "/segments?full",
            List.of(within.toString()))
        .forEach(
            segment -> {
              Interval interval = Interval.of(segment.path("interval").asString());
              found.merge(
                  interval.start(),
                  interval,
                  (one, other) -> one.end().isAfter(other.end()) ? one : other);
            });
    return List.copyOf(found.values());
  }

  /** The granularity in which rows of the datasource are taken in: no segment is shorter. */
  private String granularityOf(String datasource) {
    return coordinator
        .get("/druid/indexer/v1/supervisor/" + datasource)
        .path("spec")
        .path("dataSchema")
        .path("granularitySpec")
        .path("segmentGranularity")
        .asString("HOUR")
        .toLowerCase(Locale.ROOT);
  }

  private String compact(String datasource, Interval interval, Map<String, Object> filter) {
    return coordinator
        .post(
            "/druid/indexer/v1/task",
            Map.of(
                "type",
                "compact",
                "dataSource",
                datasource,
                "ioConfig",
                Map.of(
                    "type",
                    "compact",
                    "inputSpec",
                    Map.of("type", "interval", "interval", interval.toString()),
                    // Stretches of which nothing is left must not stay as they were.
                    "dropExisting",
                    true),
                "transformSpec",
                Map.of("filter", RowFilters.not(filter)),
                "tuningConfig",
                Map.of(
                    "type",
                    "index_parallel",
                    "partitionsSpec",
                    Map.of("type", "dynamic"),
                    "maxNumConcurrentSubTasks",
                    1),
                "context",
                Map.of("useConcurrentLocks", true)))
        .path("task")
        .asString();
  }

  @Override
  public TaskState state(String task) {
    String code =
        coordinator
            .find("/druid/indexer/v1/task/" + task + "/status")
            .path("status")
            .path("statusCode")
            .asString("FAILED");
    return switch (code) {
      case "RUNNING" -> TaskState.RUNNING;
      case "SUCCESS" -> TaskState.SUCCEEDED;
      default -> TaskState.FAILED;
    };
  }

  @Override
  public void handOff(String datasource) {
    List<Integer> groups = new ArrayList<>();
    payload(datasource).path("activeTasks").forEach(task -> groups.add(groupOf(task)));
    List<Integer> distinct = groups.stream().distinct().toList();
    if (!distinct.isEmpty()) {
      coordinator.post(
          "/druid/indexer/v1/supervisor/" + datasource + "/taskGroups/handoff",
          Map.of("taskGroupIds", distinct));
    }
  }

  /** Groups are numbered like the first of their partitions. */
  private static int groupOf(JsonNode task) {
    return task.path("startingOffsets").propertyNames().stream()
        .mapToInt(Integer::parseInt)
        .min()
        .orElse(0);
  }

  @Override
  public boolean isHandingOff(String datasource) {
    return !payload(datasource).path("publishingTasks").isEmpty();
  }

  @Override
  public void deleteUnused(String datasource, Instant unusedBefore) {
    coordinator.post(
        "/druid/indexer/v1/task",
        Map.of(
            "type",
            "kill",
            "dataSource",
            datasource,
            "interval",
            "1000-01-01T00:00:00Z/3000-01-01T00:00:00Z",
            "maxUsedStatusLastUpdatedTime",
            unusedBefore.toString(),
            "context",
            Map.of("useConcurrentLocks", true)));
  }

  private JsonNode payload(String datasource) {
    return coordinator
        .get("/druid/indexer/v1/supervisor/" + datasource + "/status")
        .path("payload");
  }
}
