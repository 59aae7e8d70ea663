package io.tidemark.pipeline.support;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.stack.Coordinates;
import io.tidemark.stack.JsonHttp;
import io.tidemark.stack.TidemarkStack;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * What a running stack says about its pipeline when a test has failed: what {@code make status}
 * ends with, how far Kafka's topics are committed, and how far Druid has read them. Sums that are
 * wrong are told from sums that are late by it.
 */
final class PipelineReport {
  private static final List<String> TOPICS =
      List.of(
          "telemetry.points.v1",
          "telemetry.rollup-1m.v1",
          "telemetry.rollup-1m-hc.v1",
          "telemetry.rollup-1h.v1",
          "telemetry.rollup-1d.v1",
          "pipeline.watermarks.v1");

  private final JsonHttp http;
  private final TidemarkStack stack;
  private final Coordinates coordinates;

  PipelineReport(TidemarkStack stack) {
    this.stack = stack;
    this.coordinates = stack.coordinates();
    this.http = new JsonHttp(stack.access().encryption());
  }

  /** Lines; one for each question that was not answered says so. */
  List<String> lines() {
    List<String> lines = new ArrayList<>(List.of("Pipeline at " + Instant.now() + ":"));
    add(lines, "faults", stack::faults);
    add(lines, "Kafka", this::ends);
    add(lines, "Druid's tasks", this::tasks);
    add(lines, "Druid's segments", () -> List.of(coordinator("/coordinator/v1/loadstatus?simple")));
    return lines;
  }

  private static void add(List<String> lines, String what, Callable<List<String>> question) {
    try {
      question.call().forEach(line -> lines.add(what + ": " + line));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (Exception unanswered) {
      lines.add(what + ": " + unanswered);
    }
  }

  /** Committed and written offsets; they differ for long where a transaction stays open. */
  private List<String> ends() {
    Map<TopicPartition, Long> committed = ends("read_committed");
    Map<TopicPartition, Long> written = ends("read_uncommitted");
    return committed.keySet().stream()
        .map(one -> one + " committed " + committed.get(one) + ", written " + written.get(one))
        .sorted()
        .toList();
  }

  private Map<TopicPartition, Long> ends(String isolation) {
    Map<String, Object> client = stack.access().kafka(coordinates.get("TIDEMARK_KAFKA"));
    client.put("isolation.level", isolation);
    client.put("default.api.timeout.ms", 5_000);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          TOPICS.stream()
              .flatMap(topic -> consumer.partitionsFor(topic).stream())
              .map(one -> new TopicPartition(one.topic(), one.partition()))
              .toList();
      return consumer.endOffsets(partitions);
    }
  }

  private List<String> tasks() throws Exception {
    List<String> lines = new ArrayList<>();
    for (JsonNode task : http.get(druid("/indexer/v1/runningTasks")).body()) {
      JsonNode location = task.path("location");
      int encrypted = location.path("tlsPort").asInt();
      String worker =
          (encrypted > 0 ? "https://" : "http://")
              + location.path("host").asText()
              + ":"
              + (encrypted > 0 ? encrypted : location.path("port").asInt())
              + "/druid/worker/v1/chat/"
              + task.path("id").asText();
      lines.add(
          task.path("id").asText()
              + Stream.of("status", "offsets/current", "offsets/end")
                  .map(what -> " " + what + " " + answer(worker + "/" + what))
                  .reduce("", String::concat));
    }
    return lines;
  }

  private String coordinator(String path) throws Exception {
    return http.get(druid(path)).text();
  }

  private String druid(String path) {
    return coordinates.get("TIDEMARK_DRUID_COORDINATOR") + "/druid" + path;
  }

  private String answer(String url) {
    try {
      return http.get(url).text();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return "interrupted";
    } catch (Exception unanswered) {
      return unanswered.toString();
    }
  }
}
