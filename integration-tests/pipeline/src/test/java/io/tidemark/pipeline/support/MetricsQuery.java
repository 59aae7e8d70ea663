package io.tidemark.pipeline.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

/** Asks the public Metrics API as one tenant. */
public final class MetricsQuery {
  private final JsonHttp http = new JsonHttp();
  private final String api;
  private final String authorization;

  public MetricsQuery(String api, String authorization) {
    this.api = api;
    this.authorization = authorization;
  }

  /** One row of a FLAT answer: group values joined by {@code /} in the order asked for. */
  public record Bucket(Instant time, String group) implements Comparable<Bucket> {
    @Override
    public int compareTo(Bucket other) {
      int byTime = time.compareTo(other.time);
      return byTime != 0 ? byTime : group.compareTo(other.group);
    }
  }

  public static ObjectNode body(
      String metric,
      String aggregation,
      String granularity,
      Instant from,
      Instant to,
      List<String> groupBy) {
    ObjectNode query = JsonHttp.JSON.createObjectNode();
    query.putArray("aggregations").addObject().put("metric", metric).put("agg", aggregation);
    query.put("granularity", granularity);
    query.putArray("intervals").add(from + "/" + to);
    query.put("limit", 1000);
    if (!groupBy.isEmpty()) {
      groupBy.forEach(query.putArray("group_by")::add);
    }
    return query;
  }

  public JsonHttp.Answer post(String dataset, JsonNode body)
      throws IOException, InterruptedException {
    return http.post(api + "/v2/metrics/" + dataset + "/query", authorization, body);
  }

  /**
   * Rows of the answer by bucket and group; anything but 200 is an error that carries the answer's
   * text.
   */
  public TreeMap<Bucket, Double> ask(String dataset, ObjectNode body)
      throws IOException, InterruptedException {
    JsonHttp.Answer answer = post(dataset, body);
    if (answer.status() != 200) {
      throw new IOException(answer.status() + " " + answer.text());
    }
    TreeMap<Bucket, Double> rows = new TreeMap<>();
    for (JsonNode row : answer.body().path("data")) {
      StringBuilder group = new StringBuilder();
      for (JsonNode field : body.path("group_by")) {
        group.append(group.isEmpty() ? "" : "/").append(row.path(field.asText()).asText());
      }
      rows.put(
          new Bucket(Instant.parse(row.path("timestamp").asText()), group.toString()),
          row.path("value").asDouble());
    }
    return rows;
  }
}
