package io.tidemark.flink.lake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.removals.RemovalTopics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

class LakeConfigTest {

  static final Path INFRA = Path.of("../../infra");

  /** The shipped arguments are those that the job asks for. */
  @Test
  void shippedArgumentsAreComplete() {
    LakeConfig config = LakeConfig.parse(shipped());

    assertEquals("telemetry.points.v1", config.pointsTopic());
    assertEquals("telemetry", config.namespace());
    assertEquals(Duration.ofSeconds(30), config.commitInterval());
    assertTrue(config.orphanAge().compareTo(Duration.ofDays(7)) >= 0);
    assertTrue(config.orphanAge().compareTo(config.keepSnapshots()) > 0);
  }

  /** What a removal waits for is what the table is read from. */
  @Test
  void aSecondRegionIsToldOfRemovalsByTheFirst() {
    RemovalTopics own = LakeJob.removals(LakeConfig.parse(shipped()));
    assertEquals("broker:9092", servers(own.orderBrokers()));
    assertEquals(
        "broker:9092 telemetry.points.v1 tidemark-lake", shown(own.tables().get("raw_points")));

    List<String> arguments = new ArrayList<>(List.of(shipped()));
    arguments.addAll(List.of("--source.kafka.bootstrap.servers", "first:9092", "--region", "west"));
    RemovalTopics second = LakeJob.removals(LakeConfig.parse(arguments.toArray(String[]::new)));
    assertEquals("first:9092", servers(second.orderBrokers()));
    assertEquals("broker:9092", servers(second.reportBrokers()));
    assertEquals(
        "first:9092 telemetry.points.v1 tidemark-lake-west",
        shown(second.tables().get("raw_points")));
    assertEquals(
        "broker:9092 telemetry.rollup-1d.v1 tidemark-lake",
        shown(second.tables().get("rollup_1d")));
  }

  private static String servers(Brokers brokers) {
    return brokers.properties().getProperty("bootstrap.servers");
  }

  private static String shown(RemovalTopics.TableTopic table) {
    return servers(table.brokers()) + " " + table.topic() + " " + table.group();
  }

  @Test
  void everyFaultIsNamedAtOnce() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                LakeConfig.parse(
                    "--points.topic", "a b", "--catalog.uri", "jdbc:h2:x", "--surprise", "1"));

    for (String fault :
        List.of(
            "--points.topic is 'a b'",
            "--catalog.uri is 'jdbc:h2:x'",
            "'--surprise' is not known",
            "--warehouse is missing",
            "--commit.interval.ms is missing")) {
      assertTrue(refused.getMessage().contains(fault), refused.getMessage());
    }
  }

  @SuppressWarnings("unchecked")
  static String[] shipped() {
    Map<String, Object> file =
        new Yaml(new SafeConstructor(new LoaderOptions()))
            .load(read(INFRA.resolve("flink/jobs.yaml")));
    for (Map<String, Object> job : (List<Map<String, Object>>) file.get("jobs")) {
      if (job.get("name").equals(LakeJob.NAME)) {
        List<String> arguments = new ArrayList<>();
        ((Map<String, Object>) job.get("arguments"))
            .forEach(
                (key, value) -> {
                  arguments.add("--" + key);
                  arguments.add(
                      value
                          .toString()
                          .replace("${TIDEMARK_KAFKA}", "broker:9092")
                          .replace("${TIDEMARK_CATALOG_URL}", "jdbc:postgresql://db:5432/iceberg")
                          .replace("${TIDEMARK_CATALOG_USER}", "tidemark")
                          .replace("${TIDEMARK_ICEBERG_WAREHOUSE}", "file:///warehouse"));
                });
        return arguments.toArray(String[]::new);
      }
    }
    throw new AssertionError("infra/flink/jobs.yaml has no job " + LakeJob.NAME);
  }

  private static String read(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
