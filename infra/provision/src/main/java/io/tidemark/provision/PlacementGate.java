package io.tidemark.provision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether a placement may begin, and waits until no task of a shared datasource takes its
 * rows any more.
 */
final class PlacementGate {
  /**
   * A moment in the future is safe when it is so far away: senders may be ten minutes ahead, and a
   * task of before may take half an hour to publish.
   */
  static final Duration MARGIN = Duration.ofHours(1);

  private static final String INDEXER = "/druid/indexer/v1/";
  private static final String STREAMING = "index_kafka";
  private static final List<String> LISTS = List.of("runningTasks", "pendingTasks", "waitingTasks");

  /** As long as the supervisors allow a task for publishing. */
  private static final Duration LONGEST_TURN = Duration.ofMinutes(30);

  /** Processes of platform-api look every ten seconds who is placed. */
  private static final Duration NOTICE = Duration.ofSeconds(12);

  private final Addresses addresses;
  private final EngineClient http;
  private final Clock clock;
  private final Duration pause;
  private final Duration notice;

  PlacementGate(Addresses addresses, Clock clock) {
    this(addresses, clock, Duration.ofSeconds(1), NOTICE);
  }

  /**
   * @param pause between two looks
   * @param notice how long it takes until answers are read from both datasources
   */
  PlacementGate(Addresses addresses, Clock clock, Duration pause, Duration notice) {
    this.addresses = addresses;
    this.http = addresses.access().http();
    this.clock = clock;
    this.pause = pause;
    this.notice = notice;
  }

  /**
   * Refuses a placement whose rows may be in a shared datasource already.
   *
   * @param shared names of the shared datasources
   */
  void admit(DatasourcePlacement placement, List<String> shared)
      throws IOException, InterruptedException {
    if (isAhead(placement, clock.instant())) {
      return;
    }
    long rows = rows(placement, shared);
    if (rows > 0) {
      throw ProvisionFailure.input(
          ("%s has %d rows at or after %s in shared datasources, and that is not %d minutes ahead"
                  + " of now. Name a later day in infra/%s: tomorrow's, or one that is further away.")
              .formatted(
                  placement.organization(),
                  rows,
                  placement.from(),
                  MARGIN.toMinutes(),
                  DatasourcePlacement.FILE));
    }
  }

  /** Whether its moment is far enough away. */
  static boolean isAhead(DatasourcePlacement placement, Instant now) {
    return !now.plus(MARGIN).isAfter(placement.from());
  }

  /** Returns when every task of the shared datasources leaves out what its supervisor does. */
  void awaitFilters(List<SupervisorSpec> shared) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    while (true) {
      Optional<String> without = without(shared);
      long waited = System.nanoTime() - begin;
      if (without.isEmpty() && waited >= notice.toNanos()) {
        return;
      }
      if (without.isPresent() && waited > LONGEST_TURN.toNanos()) {
        throw ProvisionFailure.engine(
            "The task %s still takes rows of placed organisations. Look at Druid, then provision again."
                .formatted(without.get()));
      }
      Thread.sleep(pause.toMillis());
    }
  }

  /** A task that takes rows that it should leave out; empty when there is none. */
  private Optional<String> without(List<SupervisorSpec> shared)
      throws IOException, InterruptedException {
    for (String list : LISTS) {
      for (JsonNode task : read(addresses.druidCoordinator() + INDEXER + list)) {
        for (SupervisorSpec supervisor : shared) {
          boolean reads =
              task.path("type").asText(STREAMING).equals(STREAMING)
                  && task.path("dataSource").asText().equals(supervisor.name());
          String id = task.path("id").asText();
          if (reads && !hasFilter(id, supervisor)) {
            return Optional.of(id);
          }
        }
      }
    }
    return Optional.empty();
  }

  private boolean hasFilter(String task, SupervisorSpec supervisor)
      throws IOException, InterruptedException {
    EngineClient.Answer answer = http.get(addresses.druidCoordinator() + INDEXER + "task/" + task);
    // It may have ended since it was listed; the next look tells.
    return answer.ok()
        && ConfigDiff.firstDifference(
                answer.body().at("/payload/dataSchema/transformSpec/filter"),
                supervisor.spec().at("/spec/dataSchema/transformSpec/filter"))
            .isEmpty();
  }

  /**
   * Looks once more, when no task can take such rows any more.
   *
   * @param shared names of the shared datasources
   */
  void confirm(DatasourcePlacement placement, List<String> shared)
      throws IOException, InterruptedException {
    long rows = rows(placement, shared);
    if (rows > 0) {
      throw ProvisionFailure.engine(
          ("%s sent %d rows at or after %s before every task left them out. They are in shared"
                  + " datasources, where nobody reads them. Run rebuild-druid: it puts each row"
                  + " where it belongs.")
              .formatted(placement.organization(), rows, placement.from()));
    }
  }

  /** Rows of the organisation from the moment on, published or not. */
  private long rows(DatasourcePlacement placement, List<String> shared)
      throws IOException, InterruptedException {
    ObjectNode query = EngineClient.JSON.createObjectNode().put("queryType", "timeseries");
    ObjectNode union = query.putObject("dataSource").put("type", "union");
    List<String> names = new ArrayList<>(shared);
    names.forEach(union.putArray("dataSources")::add);
    query.putArray("intervals").add(placement.from() + "/5000-01-01T00:00:00.000Z");
    query.put("granularity", "all");
    query.set("filter", PlacementFilter.own(placement));
    query.putArray("aggregations").addObject().put("type", "count").put("name", "rows");
    query.putObject("context").put("useCache", false).put("populateCache", false);
    String broker = broker();
    EngineClient.Answer answer = http.post(broker + "/druid/v2/", query);
    if (!answer.ok() || !answer.body().isArray()) {
      throw new IOException("Druid's broker answered " + answer.status() + " at " + broker);
    }
    return answer.body().at("/0/result/rows").asLong(0);
  }

  /** One of those that the coordinator knows. */
  private String broker() throws IOException, InterruptedException {
    for (var role :
        read(addresses.druidCoordinator() + "/druid/coordinator/v1/cluster").properties()) {
      if (role.getKey().equalsIgnoreCase("broker")) {
        for (JsonNode node : role.getValue()) {
          int encrypted = node.path("tlsPort").asInt(-1);
          return encrypted > 0
              ? "https://" + node.path("host").asText() + ":" + encrypted
              : "http://" + node.path("host").asText() + ":" + node.path("plaintextPort").asInt();
        }
      }
    }
    throw new IOException("Druid's coordinator knows no broker, which is asked for rows");
  }

  private JsonNode read(String url) throws IOException, InterruptedException {
    EngineClient.Answer answer = http.get(url);
    if (!answer.ok()) {
      throw new IOException("Druid answered " + answer.status() + " at " + url);
    }
    return answer.body();
  }
}
