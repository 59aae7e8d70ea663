package io.tidemark.flink.rollup.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** What a Flink process tells about its checkpoints. */
final class FlinkRest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final int port;

  FlinkRest(int port) {
    this.port = port;
  }

  /**
   * @param completed checkpoints completed
   * @param longestStallMs longest synchronous part of a subtask, during which it takes no record
   * @param stateBytes all files of the latest checkpoint, shared ones too, of the vertex that holds
   *     the panes
   */
  record Checkpoints(int completed, long longestStallMs, long stateBytes) {}

  int completedCheckpoints(String job) throws IOException, InterruptedException {
    return get("/jobs/" + job + "/checkpoints").path("counts").path("completed").asInt();
  }

  boolean isFinished(String job) throws IOException, InterruptedException {
    return get("/jobs/" + job).path("state").asText().equals("FINISHED");
  }

  Checkpoints checkpoints(String job) throws IOException, InterruptedException {
    return checkpoints(job, 0, Long.MAX_VALUE);
  }

  /** Those that began in a span of time, milliseconds since the Unix epoch. */
  Checkpoints checkpoints(String job, long fromMs, long beforeMs)
      throws IOException, InterruptedException {
    JsonNode all = get("/jobs/" + job + "/checkpoints");
    long stall = 0;
    long state = 0;
    int completed = 0;
    for (JsonNode checkpoint : all.path("history")) {
      long begun = checkpoint.path("trigger_timestamp").asLong();
      boolean isComplete = checkpoint.path("status").asText().equals("COMPLETED");
      if (!isComplete || begun < fromMs || begun >= beforeMs) {
        continue;
      }
      completed++;
      String details = "/jobs/" + job + "/checkpoints/details/" + checkpoint.path("id").asLong();
      for (var vertices = get(details).path("tasks").fields(); vertices.hasNext(); ) {
        var vertex = vertices.next();
        state = Math.max(state, vertex.getValue().path("state_size").asLong());
        JsonNode subtasks = get(details + "/subtasks/" + vertex.getKey());
        JsonNode sync = subtasks.path("summary").path("checkpoint_duration").path("sync");
        stall = Math.max(stall, sync.path("max").asLong());
      }
    }
    return new Checkpoints(completed, stall, state);
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    return JSON.readTree(response.body());
  }
}
