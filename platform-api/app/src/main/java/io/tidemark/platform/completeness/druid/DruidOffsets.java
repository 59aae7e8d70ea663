package io.tidemark.platform.completeness.druid;

import io.tidemark.platform.completeness.StoreOffsets;
import io.tidemark.platform.druid.DruidHttp;
import io.tidemark.platform.druid.UnavailableSegments;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.shared.ProblemException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Asks coordinator and streaming tasks how far Druid has read and whether it serves all it has. */
public final class DruidOffsets implements StoreOffsets {

  private static final String STREAMING = "index_kafka";
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  private final HttpClient http;
  private final DruidHttp coordinator;
  private final UnavailableSegments unavailable;
  private final Map<Source, String> datasources = new EnumMap<>(Source.class);

  /**
   * What one task says, by partition.
   *
   * @param start where its first unpublished rows begin; empty when there are none
   * @param current the next offset it reads
   * @param end where it stops; the greatest number while nobody has said so
   */
  private record TaskProgress(
      Map<Integer, Long> start, Map<Integer, Long> current, Map<Integer, Long> end) {

    boolean isOpen(int partition) {
      return end.getOrDefault(partition, Long.MAX_VALUE) == Long.MAX_VALUE;
    }
  }

  /**
   * Some datasources of Druid, one of each source.
   *
   * @param coordinator base URL of coordinator and overlord
   * @param datasource its name
   */
  public DruidOffsets(HttpClient http, URI coordinator, Function<Source, String> datasource) {
    for (Source source : Source.values()) {
      datasources.put(source, datasource.apply(source));
    }
    this.http = http;
    this.coordinator = new DruidHttp(http, coordinator, TIMEOUT);
    this.unavailable = new UnavailableSegments(this.coordinator::get);
  }

  @Override
  public StoreState now() {
    Map<Source, List<JsonNode>> tasks = new EnumMap<>(Source.class);
    // Not by "?type=": an overlord that was started again knows no type of the tasks that it finds
    // running, and would list none of them.
    for (JsonNode task : coordinator.get("/druid/indexer/v1/runningTasks")) {
      datasources.forEach(
          (source, datasource) -> {
            if (STREAMING.equals(task.path("type").asString(""))
                && datasource.equals(task.path("dataSource").asString(""))) {
              tasks.computeIfAbsent(source, ignored -> new ArrayList<>()).add(task);
            }
          });
    }
    Map<Source, Map<Integer, Long>> offsets = new EnumMap<>(Source.class);
    tasks.forEach((source, some) -> offsets.put(source, taken(some)));
    boolean isWhole =
        unavailable.count(datasources.values()).values().stream()
            .allMatch(segments -> segments == 0);
    return new StoreState(offsets, isWhole);
  }

  private Map<Integer, Long> taken(List<JsonNode> tasks) {
    if (tasks.size() == 1) {
      return single(tasks.get(0));
    }
    List<TaskProgress> readings = new ArrayList<>();
    boolean isSilent = false;
    for (JsonNode task : oldestFirst(tasks)) {
      Optional<TaskProgress> reading = reading(task);
      if (isSilent && reading.isPresent()) {
        return Map.of();
      }
      isSilent = reading.isEmpty();
      reading.ifPresent(readings::add);
    }
    return upTo(readings);
  }

  private Map<Integer, Long> single(JsonNode task) {
    try {
      return worker(task).isPresent() ? offsets(task, "offsets/current") : Map.of();
    } catch (ProblemException away) {
      return Map.of();
    }
  }

  /**
   * Empty for a task that does not answer: it begins, or has ended since it was listed. Newer than
   * all others it takes nothing away from what they have; rows of an older one may be missing.
   */
  private Optional<TaskProgress> reading(JsonNode task) {
    if (worker(task).isEmpty()) {
      return Optional.empty();
    }
    try {
      Map<Integer, Long> start = new HashMap<>();
      for (JsonNode sequence : ask(task, "checkpoints")) {
        byPartition(sequence)
            .forEach((partition, offset) -> start.merge(partition, offset, Math::min));
      }
      // In this order: a task that is told its end meanwhile has not read less than it said.
      Map<Integer, Long> end = offsets(task, "offsets/end");
      return Optional.of(new TaskProgress(start, offsets(task, "offsets/current"), end));
    } catch (ProblemException away) {
      return Optional.empty();
    }
  }

  /** All of Druid's times are of one length and in UTC. */
  private static List<JsonNode> oldestFirst(List<JsonNode> tasks) {
    return tasks.stream()
        .sorted(Comparator.comparing(task -> task.path("createdTime").asString("")))
        .toList();
  }

  /**
   * Up to where all rows are in tasks that follow each other without a gap; partitions of which
   * that cannot be said are missing.
   */
  private static Map<Integer, Long> upTo(List<TaskProgress> readings) {
    Set<Integer> partitions = new TreeSet<>();
    readings.forEach(reading -> partitions.addAll(reading.current().keySet()));
    Map<Integer, Long> taken = new HashMap<>();
    for (int partition : partitions) {
      upTo(readings, partition).ifPresent(offset -> taken.put(partition, offset));
    }
    return taken;
  }

  /**
   * While one task publishes, the next reads on from its end. After a restart of everything both
   * may read again, each from its own start, and what lies between is in neither yet.
   */
  private static Optional<Long> upTo(List<TaskProgress> readings, int partition) {
    long publishing = Long.MIN_VALUE;
    Long start = null;
    long current = Long.MAX_VALUE;
    for (TaskProgress reading : readings) {
      Long read = reading.current().get(partition);
      if (read == null) {
        continue;
      }
      if (!reading.isOpen(partition)) {
        long end = Objects.requireNonNull(reading.end().get(partition));
        if (read < end) {
          return Optional.empty();
        }
        publishing = Math.max(publishing, end);
        continue;
      }
      Long begin = reading.start().get(partition);
      if (begin == null || start != null && !start.equals(begin)) {
        return Optional.empty();
      }
      start = begin;
      current = Math.min(current, read);
    }
    if (start == null) {
      return Optional.of(publishing);
    }
    return start < publishing ? Optional.empty() : Optional.of(current);
  }

  private Map<Integer, Long> offsets(JsonNode task, String what) {
    return byPartition(ask(task, what));
  }

  private static Map<Integer, Long> byPartition(JsonNode offsets) {
    Map<Integer, Long> found = new HashMap<>();
    offsets
        .properties()
        .forEach(entry -> found.put(Integer.valueOf(entry.getKey()), entry.getValue().asLong()));
    return found;
  }

  /** Empty while no process has taken the task. */
  private static Optional<URI> worker(JsonNode task) {
    JsonNode location = task.path("location");
    String host = location.path("host").asString("");
    int encrypted = location.path("tlsPort").asInt(-1);
    int plain = location.path("port").asInt(-1);
    if (encrypted > 0) {
      return Optional.of(URI.create("https://" + host + ":" + encrypted));
    }
    return plain > 0 ? Optional.of(URI.create("http://" + host + ":" + plain)) : Optional.empty();
  }

  private JsonNode ask(JsonNode task, String what) {
    return new DruidHttp(http, worker(task).orElseThrow(), TIMEOUT)
        .get("/druid/worker/v1/chat/" + task.path("id").asString() + "/" + what);
  }
}
