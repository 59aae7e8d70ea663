package io.tidemark.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * How the Metrics API answers queries for metrics that the stack reports of itself.
 *
 * @param isWithout it did not answer, or with an error
 * @param took from the first question to its answer
 * @param behind how long ago points are no longer known to be complete; empty when that is not
 *     known
 * @param newest how long ago the newest minute with points of each component began, by that
 *     component's clock; negative when it is still to come
 */
record OwnAnswer(
    boolean isWithout, Duration took, Optional<Duration> behind, Map<String, Duration> newest) {
  /** In place of an answer that would say no more than the state of platform-api. */
  static final OwnAnswer UNASKED =
      new OwnAnswer(false, Duration.ZERO, Optional.of(Duration.ZERO), Map.of());

  private static final OwnAnswer NONE =
      new OwnAnswer(true, Duration.ZERO, Optional.empty(), Map.of());

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Longer than the stack's own metrics may be behind or ahead. */
  private static final Duration AROUND = Duration.ofMinutes(15);

  /** platform-api answers the last three hours from memory, as far as it knows them. */
  private static final Duration BEYOND_MEMORY = Duration.ofHours(4);

  /** A metric that a component reports all the time, and where its own identity is. */
  private record Sign(String component, String metric, String aggregation, String field) {}

  private static final List<Sign> SIGNS =
      List.of(
          new Sign("kafka", "kafka.topic.messages", "SUM", "resource.kafka.id"),
          new Sign("flink-taskmanager", "flink.task.records.received", "SUM", "resource.flink.id"),
          new Sign(
              "flink-jobmanager", "flink.job.checkpoints.completed", "MAX", "resource.flink.id"),
          new Sign("platform-api", "tidemark.ingest.points", "SUM", "resource.platform-api.id"));

  /** Asks one query after the other; none after one that failed. */
  static OwnAnswer ask(Coordinates coordinates) throws InterruptedException {
    Map<String, String> identities =
        Map.of(
            "resource.kafka.id", coordinates.get("TIDEMARK_KAFKA_CLUSTER_ID"),
            "resource.flink.id", coordinates.get("TIDEMARK_FLINK_CLUSTER_ID"),
            "resource.platform-api.id", "platform-api");
    FirstQuery query = new FirstQuery(coordinates);
    Instant now = Instant.now();
    Map<String, Duration> newest = new TreeMap<>();
    Duration took = Duration.ZERO;
    Optional<Duration> behind = Optional.empty();
    try {
      for (Sign sign : SIGNS) {
        long begin = System.nanoTime();
        JsonHttp.Answer answer =
            query.ask(body(sign, identities.getOrDefault(sign.field(), ""), now), PATIENCE);
        if (!isAnswered(answer)) {
          return NONE;
        }
        if (took.isZero()) {
          took = Duration.ofNanos(System.nanoTime() - begin);
          behind = time(answer.body().at("/meta/completeness/watermark")).map(ago(now));
        }
        Instant last = now.minus(AROUND);
        for (JsonNode row : answer.body().path("data")) {
          Instant minute = time(row.path("timestamp")).orElse(last);
          last = minute.isAfter(last) ? minute : last;
        }
        newest.put(sign.component(), Duration.between(last, now));
      }
    } catch (IOException e) {
      return NONE;
    }
    return new OwnAnswer(false, took, behind, newest);
  }

  /**
   * Whether a query for minutes that Druid alone knows is answered.
   *
   * @throws IOException it is not in time
   */
  static boolean reachesDruid(Coordinates coordinates) throws IOException, InterruptedException {
    Sign sign = SIGNS.get(0);
    String identity = coordinates.get("TIDEMARK_KAFKA_CLUSTER_ID");
    Instant then = Instant.now().minus(BEYOND_MEMORY);
    return isAnswered(new FirstQuery(coordinates).ask(body(sign, identity, then), PATIENCE));
  }

  /** Nothing is known of a metric before its first row. */
  private static boolean isAnswered(JsonHttp.Answer answer) {
    return answer.ok() || answer.status() == 404;
  }

  private static ObjectNode body(Sign sign, String identity, Instant moment) {
    ObjectNode query = JsonHttp.JSON.createObjectNode();
    query
        .putArray("aggregations")
        .addObject()
        .put("metric", sign.metric())
        .put("agg", sign.aggregation());
    query.putObject("filter").put("field", sign.field()).put("op", "EQ").put("value", identity);
    query.put("granularity", "PT1M");
    Instant minute = moment.truncatedTo(ChronoUnit.MINUTES);
    query.putArray("intervals").add(minute.minus(AROUND) + "/" + minute.plus(AROUND));
    return query;
  }

  private static Function<Instant, Duration> ago(Instant now) {
    return moment -> Duration.between(moment, now);
  }

  private static Optional<Instant> time(JsonNode text) {
    return text.isTextual() ? Optional.of(Instant.parse(text.asText())) : Optional.empty();
  }
}
