package io.tidemark.provision;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that was not stopped is never doubled, whatever the JobManager shows meanwhile. */
class FlinkJobsTest {
  private static final String LAST = "1".repeat(32);

  @TempDir private Path root;
  private HttpServer flink;
  private volatile String checkpoints = "{\"latest\":{\"completed\":null}}";
  private JobRuns runs;

  /** States of the last run, one for each look; empty while it is not shown. The last one stays. */
  private final Deque<String> shown = new ArrayDeque<>();

  private final List<JsonNode> submitted = new ArrayList<>();

  @BeforeEach
  void jobManager() throws Exception {
    Files.createDirectories(root.resolve("infra/flink"));
    Files.writeString(root.resolve("rollup.jar"), "a jar");
    Files.writeString(
        root.resolve("infra/flink/jobs.yaml"),
        "jobs:\n  - name: rollup\n    jar: rollup.jar\n    entry_class: a.B\n    arguments: {}\n");
    runs = new JobRuns(root.resolve("state/jobs/rollup.ids"));
    flink = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    flink.createContext("/", this::answer);
    flink.start();
  }

  @AfterEach
  void stop() {
    flink.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    byte[] body = exchange.getRequestBody().readAllBytes();
    String said;
    if (path.equals("/jobs/overview")) {
      String state = shown.size() > 1 ? shown.pop() : shown.element();
      said =
          state.isEmpty()
              ? "{\"jobs\":[]}"
              : "{\"jobs\":[{\"jid\":\"%s\",\"state\":\"%s\",\"name\":\"rollup\"}]}"
                  .formatted(LAST, state);
    } else if (path.equals("/jars/upload")) {
      said = "{\"filename\":\"/uploads/one.jar\"}";
    } else if (path.endsWith("/run")) {
      JsonNode run = EngineClient.JSON.readTree(body);
      submitted.add(run);
      said = "{\"jobid\":\"%s\"}".formatted(run.path("jobId").asText("2".repeat(32)));
    } else if (path.endsWith("/checkpoints")) {
      said = checkpoints;
    } else {
      said =
          "{\"state\":\"RUNNING\",\"vertices\":[{\"status\":\"RUNNING\"}],"
              + "\"timestamps\":{\"RUNNING\":40000}}";
    }
    exchange.sendResponseHeaders(200, said.getBytes(UTF_8).length);
    exchange.getResponseBody().write(said.getBytes(UTF_8));
    exchange.close();
  }

  private int apply(Duration recovery) throws Exception {
    return jobs(recovery).apply();
  }

  private FlinkJobs jobs(Duration recovery) {
    Addresses addresses =
        new Addresses(
            root,
            "broker:9092",
            "http://druid",
            "http://127.0.0.1:" + flink.getAddress().getPort(),
            root.resolve("state"),
            "file://" + root.resolve("state"),
            "jdbc:x",
            "u",
            "p",
            "r",
            "file:///w",
            Map.of(),
            EngineAccess.OPEN);
    return new FlinkJobs(addresses, recovery);
  }

  @Test
  void aJobsLastCheckpointIsAsOldAsTheJobWhileItHasNone() throws Exception {
    shown.add("RUNNING");
    Instant now = Instant.ofEpochMilli(100_000);

    assertThat(jobs(Duration.ZERO).lastCheckpoints(now))
        .containsExactly(Map.entry("rollup", Duration.ofSeconds(60)));

    checkpoints = "{\"latest\":{\"completed\":{\"latest_ack_timestamp\":95000}}}";
    assertThat(jobs(Duration.ZERO).lastCheckpoints(now))
        .containsExactly(Map.entry("rollup", Duration.ofSeconds(5)));
  }

  @Test
  void aRunThatComesBackIsNotSubmittedAgain() throws Exception {
    runs.begun(LAST);
    shown.addAll(List.of("", "", "", "RESTARTING"));

    assertThat(apply(Duration.ofSeconds(30))).isZero();

    assertThat(submitted).isEmpty();
    assertThat(runs.open()).contains(LAST);
  }

  @Test
  void aRunThatDoesNotComeBackIsSubmittedUnderItsOwnId() throws Exception {
    runs.begun(LAST);
    shown.add("");

    assertThat(apply(Duration.ofMillis(1))).isOne();

    assertThat(submitted)
        .singleElement()
        .extracting(run -> run.path("jobId").asText())
        .isEqualTo(LAST);
    assertThat(runs.all()).containsExactly(LAST);
  }

  @Test
  void aRunThatFailedForGoodIsFollowedByAnother() throws Exception {
    runs.begun(LAST);
    shown.add("FAILED");

    assertThat(apply(Duration.ofSeconds(30))).isOne();

    assertThat(submitted).singleElement().matches(run -> !run.has("jobId"));
    assertThat(runs.open()).isEqualTo(Optional.of("2".repeat(32)));
  }

  private Addresses region(Optional<SharedStream> shared) {
    return new Addresses(
        Path.of("../..").toAbsolutePath().normalize(),
        "own:9092",
        "",
        "",
        root,
        "",
        "",
        "",
        "",
        "",
        "",
        Map.of(),
        EngineAccess.OPEN,
        shared,
        Optional.empty());
  }

  @Test
  void aSecondRegionReadsTheFirstAndNeitherMetersNorAlerts() {
    Addresses first = region(Optional.empty());
    Addresses second = region(Optional.of(new SharedStream("first:9092", "west")));

    assertThat(FlinkJobs.read(first))
        .extracting(FlinkJobs.Job::name)
        .containsExactly("rollup", "lake", "alert", "usage");
    assertThat(FlinkJobs.read(first))
        .allSatisfy(job -> assertThat(job.arguments()).doesNotContainKey("region"));
    assertThat(FlinkJobs.read(second))
        .extracting(FlinkJobs.Job::name)
        .containsExactly("rollup", "lake");
    assertThat(FlinkJobs.read(second))
        .allSatisfy(
            job ->
                assertThat(job.arguments())
                    .containsEntry("source.kafka.bootstrap.servers", "first:9092")
                    .containsEntry("region", "west"));
  }
}
