package io.tidemark.flink.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

class UsageConfigTest {

  /** The shipped arguments are those that the job asks for. */
  @Test
  void shippedArgumentsAreComplete() {
    UsageConfig config = UsageConfig.parse(shipped());

    assertEquals("usage.increments.v1", config.incrementsTopic());
    assertEquals("usage.records.v1", config.usageTopic());
    assertEquals(Duration.ofSeconds(10), config.checkpointInterval());
    assertEquals(Duration.ofDays(7), config.transactions().transactionTimeout());
  }

  @Test
  void everyFaultIsNamedAtOnce() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> UsageConfig.parse("--increments.topic", "a b", "--surprise", "1"));

    for (String fault :
        List.of(
            "--increments.topic is 'a b'",
            "'--surprise' is not known",
            "--usage.topic is missing",
            "--checkpoint.interval.ms is missing")) {
      assertTrue(refused.getMessage().contains(fault), refused.getMessage());
    }
  }

  @SuppressWarnings("unchecked")
  static String[] shipped() {
    Map<String, Object> file =
        new Yaml(new SafeConstructor(new LoaderOptions()))
            .load(read(Path.of("../../infra/flink/jobs.yaml")));
    for (Map<String, Object> job : (List<Map<String, Object>>) file.get("jobs")) {
      if (job.get("name").equals(UsageJob.NAME)) {
        List<String> arguments = new ArrayList<>();
        ((Map<String, Object>) job.get("arguments"))
            .forEach(
                (key, value) -> {
                  arguments.add("--" + key);
                  arguments.add(value.toString().replace("${TIDEMARK_KAFKA}", "broker:9092"));
                });
        return arguments.toArray(String[]::new);
      }
    }
    throw new AssertionError("infra/flink/jobs.yaml has no job " + UsageJob.NAME);
  }

  private static String read(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
