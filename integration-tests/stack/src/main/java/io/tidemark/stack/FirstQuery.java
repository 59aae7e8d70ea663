package io.tidemark.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The query that a newcomer is shown: records per topic of the stack's own broker, in the last ten
 * minutes.
 */
final class FirstQuery {
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(30);

  private final Coordinates coordinates;
  private final JsonHttp http;

  FirstQuery(Coordinates coordinates) {
    this.coordinates = coordinates;
    this.http = coordinates.http();
  }

  static ObjectNode body(String kafkaClusterId) {
    ObjectNode query = JsonHttp.JSON.createObjectNode();
    query
        .putArray("aggregations")
        .addObject()
        .put("metric", "kafka.topic.messages")
        .put("agg", "SUM");
    query
        .putObject("filter")
        .put("field", "resource.kafka.id")
        .put("op", "EQ")
        .put("value", kafkaClusterId);
    query.put("granularity", "PT1M");
    query.putArray("group_by").add("metric.topic");
    query.putArray("intervals").add("PT10M/now");
    return query;
  }

  /** As a shell command that reads {@code stack.env}. */
  String asCurl() {
    String body =
        body("KAFKA").toString().replace("\"KAFKA\"", "\"'\"$TIDEMARK_KAFKA_CLUSTER_ID\"'\"");
    return ". "
        + coordinates.file()
        + "\n"
        + "curl -su \"$TIDEMARK_API_KEY:$TIDEMARK_API_SECRET\" -H 'Content-Type: application/json' "
        + (coordinates.values().containsKey(Coordinates.DOORS)
            ? "--cacert \"$" + Coordinates.DOORS + "\" "
            : "")
        + "\\\n"
        + "  \"$TIDEMARK_URL/v2/metrics/self/query\" \\\n  -d '"
        + body
        + "'";
  }

  /**
   * Asks until a bucket of this start or later is there. Returns how long after {@code start} that
   * was.
   */
  Optional<Duration> await(Instant start, Duration patience) throws InterruptedException {
    Instant oldest = start.truncatedTo(ChronoUnit.MINUTES);
    long deadline = System.nanoTime() + patience.toNanos();
    while (System.nanoTime() < deadline) {
      if (answersSince(oldest)) {
        return Optional.of(Duration.between(start, Instant.now()));
      }
      Thread.sleep(500);
    }
    return Optional.empty();
  }

  /** Asks for metrics of the stack itself. */
  JsonHttp.Answer ask(ObjectNode query, Duration patience)
      throws IOException, InterruptedException {
    String authorization =
        new StackIdentity.Credentials(
                coordinates.get("TIDEMARK_API_KEY"), coordinates.get("TIDEMARK_API_SECRET"))
            .authorization();
    return http.post(
        coordinates.get("TIDEMARK_URL") + "/v2/metrics/self/query", authorization, query, patience);
  }

  private boolean answersSince(Instant oldest) throws InterruptedException {
    ObjectNode query = body(coordinates.get("TIDEMARK_KAFKA_CLUSTER_ID"));
    try {
      for (JsonNode row : ask(query, LONGEST_ANSWER).body().path("data")) {
        if (!Instant.parse(row.path("timestamp").asText()).isBefore(oldest)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      return false;
    }
  }
}
