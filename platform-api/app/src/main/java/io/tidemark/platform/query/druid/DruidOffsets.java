package io.tidemark.platform.query.druid;

import io.tidemark.platform.query.application.KnowStoreOffsets;
import io.tidemark.platform.query.domain.Source;
import io.tidemark.platform.shared.ProblemException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Asks coordinator and streaming tasks how far Druid has read and whether it serves all it has. */
public final class DruidOffsets implements KnowStoreOffsets {

  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  private final HttpClient http;
  private final DruidHttp coordinator;

  /**
   * Druid.
   *
   * @param coordinator base URL of coordinator and overlord
   */
  public DruidOffsets(HttpClient http, URI coordinator) {
    this.http = http;
    this.coordinator = new DruidHttp(http, coordinator, TIMEOUT);
  }

  @Override
  public StoreState now() {
    Map<Source, Map<Integer, Long>> offsets = new EnumMap<>(Source.class);
    JsonNode tasks = coordinator.get("/druid/indexer/v1/runningTasks?type=index_kafka");
    for (JsonNode task : tasks) {
      for (Source source : Source.values()) {
        if (source.datasource().equals(task.path("dataSource").asString(""))) {
          read(task, offsets.computeIfAbsent(source, ignored -> new HashMap<>()));
        }
      }
    }
    boolean isWhole = true;
    JsonNode unavailable = coordinator.get("/druid/coordinator/v1/loadstatus?simple");
    for (Source source : Source.values()) {
      isWhole &= unavailable.path(source.datasource()).asLong(0) == 0;
    }
    return new StoreState(offsets, isWhole);
  }

  /** While one task publishes, the next reads on: the furthest counts. */
  private void read(JsonNode task, Map<Integer, Long> offsets) {
    JsonNode location = task.path("location");
    if (location.path("port").asInt(-1) <= 0) {
      return;
    }
    URI worker =
        URI.create(
            "http://" + location.path("host").asString() + ":" + location.path("port").asInt());
    try {
      new DruidHttp(http, worker, TIMEOUT)
          .get("/druid/worker/v1/chat/" + task.path("id").asString() + "/offsets/current")
          .properties()
          .forEach(
              entry ->
                  offsets.merge(
                      Integer.valueOf(entry.getKey()), entry.getValue().asLong(), Math::max));
    } catch (ProblemException ended) {
      // Between the list and the question a task may have ended; what it held counts no more.
    }
  }
}
