package io.tidemark.platform.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.alerting.AlertPack.PackRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** Packs can be evaluated, and every rule of theirs links an entry of a runbook that is there. */
class AlertPackCatalogTest {

  private static final Path REPOSITORY = Path.of("..", "..").toAbsolutePath().normalize();

  private final AlertPackCatalog catalog = new AlertPackCatalog(properties(""));

  AlertPackCatalogTest() throws IOException {}

  private static AlertingProperties properties(String runbooks) {
    return new AlertingProperties(
        "", "group", Duration.ofSeconds(1), runbooks, List.of(), Duration.ofHours(1));
  }

  private static List<String> headings(String page) {
    Path file = REPOSITORY.resolve("docs/runbooks").resolve(page);
    assertThat(file).exists();
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith("## "))
          .map(line -> line.substring(3).toLowerCase(Locale.ROOT).replace(' ', '-'))
          .toList();
    } catch (IOException unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  @Test
  void everyRuleLinksAnEntryOfARunbook() {
    for (AlertPack pack : catalog.all()) {
      for (PackRule rule : pack.rules()) {
        String[] link = rule.runbook().split("#");
        assertThat(headings(link[0])).as("%s of %s", rule.key(), pack.name()).contains(link[1]);
        assertThat(rule.definition().annotations().get("runbook"))
            .isEqualTo("docs/runbooks/" + rule.runbook());
        assertThat(rule.definition().runbookUrl()).as("nobody says where pages are").isNull();
      }
    }
  }

  @Test
  void rulesLinkThePageWhereItCanBeRead() throws IOException {
    AlertPackCatalog linked = new AlertPackCatalog(properties("https://runbooks.example.org"));

    PackRule rule = linked.find("kafka").orElseThrow().rules().get(0);
    assertThat(rule.definition().runbookUrl())
        .isEqualTo("https://runbooks.example.org/kafka.md#offline-partitions");
    assertThat(rule.definition().faults()).isEmpty();
  }

  @Test
  void everyFileIsAPackAndItsRulesAreFreeOfFaults() throws IOException {
    try (Stream<Path> files =
        Files.list(REPOSITORY.resolve("platform-api/contracts/alert-packs"))) {
      Set<String> named =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".yaml"))
              .map(name -> name.replace(".yaml", ""))
              .collect(Collectors.toSet());
      assertThat(catalog.all().stream().map(AlertPack::name))
          .containsExactlyInAnyOrderElementsOf(named);
    }
    assertThat(catalog.all().stream().mapToInt(pack -> pack.rules().size()).sum())
        .isGreaterThan(30);
    for (AlertPack pack : catalog.all()) {
      for (PackRule rule : pack.rules()) {
        assertThat(rule.definition().faults()).as(rule.key()).isEmpty();
        assertThat(rule.key()).matches("[a-z][a-z-]+");
      }
    }
  }

  /** What a job or a broker is asked for must be asked of it by the rules of the agent. */
  @Test
  void metricsOfFlinkAndOfTopicsAreReported() throws IOException {
    String reported =
        Files.readString(REPOSITORY.resolve("infra/flink/jmx-rules.yaml"))
            + Files.readString(REPOSITORY.resolve("infra/kafka/jmx-rules.yaml"));
    List<String> asked =
        catalog.all().stream()
            .flatMap(pack -> pack.rules().stream())
            .map(rule -> rule.definition().condition().metric())
            .filter(
                metric ->
                    metric.startsWith("flink.")
                        || metric.startsWith("tidemark.lake.")
                        || metric.startsWith("tidemark.rollup.")
                        || metric.startsWith("tidemark.usage.")
                        || metric.equals("tidemark.control_records.unreadable")
                        || metric.equals("kafka.controller.activations")
                        || metric.equals("kafka.request.throttle_time.99p")
                        || metric.equals("kafka.log.directory.offline")
                        || metric.equals("tidemark.dead_letters"))
            .toList();

    assertThat(asked)
        .isNotEmpty()
        .allSatisfy(
            metric -> assertThat(reported).contains("metric: " + metric + System.lineSeparator()));
  }

  /** The collector that a JVM runs with names its old generation. */
  @ParameterizedTest
  @ValueSource(strings = {"G1 Old Gen", "PS Old Gen", "Tenured Gen"})
  void theOldGenerationOfEveryCollectorIsLookedAt(String pool) {
    AlertCondition heap =
        catalog.find("jvm").orElseThrow().rules().stream()
            .filter(rule -> rule.key().equals("heap-full"))
            .findFirst()
            .orElseThrow()
            .definition()
            .condition();
    assertThat(Pattern.matches(heap.matchers().get(0).value(), pool)).isTrue();
  }

  /** A rule that groups by a label that nobody sends makes one group of all series. */
  @Test
  void labelsOfRulesAreThoseThatTheAgentSends() throws IOException {
    Map<String, Set<String>> sent = new HashMap<>();
    for (String file : List.of("infra/flink/jmx-rules.yaml", "infra/kafka/jmx-rules.yaml")) {
      Map<?, ?> all = new Yaml().load(Files.readString(REPOSITORY.resolve(file)));
      for (Object each : (List<?>) all.get("rules")) {
        Map<?, ?> rule = (Map<?, ?>) each;
        Map<?, ?> attributes = (Map<?, ?>) rule.get("metricAttribute");
        Set<String> labels =
            (attributes == null ? Map.of() : attributes)
                .keySet().stream().map(label -> "metric." + label).collect(Collectors.toSet());
        for (Object mapping : ((Map<?, ?>) rule.get("mapping")).values()) {
          sent.put((String) ((Map<?, ?>) mapping).get("metric"), labels);
        }
      }
    }
    int compared = 0;
    for (AlertPack pack : catalog.all()) {
      for (PackRule rule : pack.rules()) {
        AlertCondition condition = rule.definition().condition();
        Set<String> labels = sent.get(condition.metric());
        if (labels != null) {
          compared++;
          assertThat(labels)
              .as("%s of %s", rule.key(), pack.name())
              .containsAll(
                  Stream.concat(
                          condition.groupBy().stream(),
                          condition.matchers().stream().map(AlertCondition.Matcher::label))
                      .filter(label -> label.startsWith("metric."))
                      .toList());
        }
      }
    }
    assertThat(compared).isGreaterThan(10);
  }
}
