package io.tidemark.platform.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** Data are removed from every store that infra has. */
class DeletionTargetsTest {

  private static final Path INFRA = Path.of("../../infra");

  private static List<Map<String, Object>> list(String file, String name) throws IOException {
    Map<String, List<Map<String, Object>>> read =
        new Yaml().load(Files.readString(INFRA.resolve(file)));
    return read.get(name);
  }

  @Test
  void datasourcesAndTablesAreThoseOfInfra() throws IOException {
    try (Stream<Path> files = Files.list(INFRA.resolve("druid/ingestion"))) {
      assertThat(files.map(file -> file.getFileName().toString().replace(".json", "")))
          .containsExactlyInAnyOrderElementsOf(DeletionTargets.DATASOURCES);
    }
    assertThat(list("iceberg/tables.yaml", "tables"))
        .extracting(table -> table.get("name"))
        .containsExactlyInAnyOrderElementsOf(DeletionTargets.TABLES);
  }

  @Test
  @SuppressWarnings("unchecked")
  void topicsForgetWhenTheCertificateSays() throws IOException {
    for (Map<String, Object> topic : list("kafka/topics.yaml", "topics")) {
      String name = (String) topic.get("name");
      Map<String, String> settings = (Map<String, String>) topic.get("settings");
      if (name.startsWith("telemetry.")) {
        assertThat(DeletionTargets.TOPICS)
            .containsEntry(name, Duration.ofMillis(Long.parseLong(settings.get("retention.ms"))));
      }
    }
  }
}
