package io.tidemark.flink.rollup.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** What a Flink process tells about its jobs and their checkpoints, and how a job is ended. */
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
   * @param longestMs longest checkpoint, from its start until all subtasks had confirmed it
   * @param stateBytes all files of the latest checkpoint, shared ones too, of the vertex that holds
   *     the panes
   */
  record Checkpoints(int completed, long longestStallMs, long longestMs, long stateBytes) {

    /** Those of two runs. */
    Checkpoints and(Checkpoints other) {
      return new Checkpoints(
          completed + other.completed,
          Math.max(longestStallMs, other.longestStallMs),
          Math.max(longestMs, other.longestMs),
          Math.max(stateBytes, other.stateBytes));
    }
  }

  /** Number of the latest completed checkpoint, 0 without one. */
  long latestCheckpoint(String job) throws IOException, InterruptedException {
    return get("/jobs/" + job + "/checkpoints")
        .path("latest")
        .path("completed")
        .path("id")
        .asLong();
  }

  /**
   * @throws IllegalStateException when the job does not run, or not since its start: a run that
   *     failed and was started again has no figure
   */
  void mustRun(String job) throws IOException, InterruptedException {
    JsonNode told = get("/jobs/" + job);
    String state = told.path("state").asText();
    if (!state.equals("RUNNING") && !state.equals("CREATED")) {
      throw new IllegalStateException(
          "The job is " + state + ": " + get("/jobs/" + job + "/exceptions"));
    }
  }

  /**
   * Whether a source has ended, and a checkpoint after its last record was completed.
   *
   * @param name part of the vertex's name
   */
  boolean hasFinished(String job, String name) throws IOException, InterruptedException {
    for (JsonNode vertex : get("/jobs/" + job).path("vertices")) {
      if (vertex.path("name").asText().contains(name)) {
        return vertex.path("status").asText().equals("FINISHED");
      }
    }
    throw new IllegalStateException("The job has no vertex " + name);
  }

  /** Of checkpoints after a number. */
  Checkpoints checkpoints(String job, long after) throws IOException, InterruptedException {
    int completed = 0;
    long stall = 0;
    long longest = 0;
    long state = 0;
    // The latest comes first.
    for (JsonNode checkpoint : get("/jobs/" + job + "/checkpoints").path("history")) {
      long id = checkpoint.path("id").asLong();
      if (id <= after || !checkpoint.path("status").asText().equals("COMPLETED")) {
        continue;
      }
      completed++;
      longest = Math.max(longest, checkpoint.path("end_to_end_duration").asLong());
      long held = 0;
      String details = "/jobs/" + job + "/checkpoints/details/" + id;
      for (var vertices = get(details).path("tasks").fields(); vertices.hasNext(); ) {
        var vertex = vertices.next();
        held = Math.max(held, vertex.getValue().path("state_size").asLong());
        JsonNode subtasks = get(details + "/subtasks/" + vertex.getKey());
        JsonNode sync = subtasks.path("summary").path("checkpoint_duration").path("sync");
        stall = Math.max(stall, sync.path("max").asLong());
      }
      state = completed == 1 ? held : state;
    }
    return new Checkpoints(completed, stall, longest, state);
  }

  /** Ends a job that has no end; its process tells when it has. */
  void cancel(String job) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri("/jobs/" + job + "?mode=cancel"))
            .method("PATCH", HttpRequest.BodyPublishers.noBody())
            .build();
    int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    if (status != 202) {
      throw new IllegalStateException("Flink does not cancel the job: status " + status);
    }
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri(path)).build();
    HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    return JSON.readTree(response.body());
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }
}
