package io.tidemark.platform.promql.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.metricstore.SeriesStore.StoredMetric;
import io.tidemark.platform.promql.domain.StepTimes;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.testing.TestingProgress;
import io.tidemark.platform.testing.TestingPromQl;
import io.tidemark.platform.testing.TestingStore.RawPoint;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** How many panels of usual dashboards get an answer, over metrics of which there are points. */
class PanelShareTest {

  private static final Path PAGE = Path.of("../../docs/reference/promql.md");
  private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");

  /** Names of metrics have an underscore, which words of the language hardly have. */
  private static final Pattern NAME = Pattern.compile("[a-zA-Z]\\w*_\\w+(?=[\\[{ )]|$)|up");

  private record Panel(boolean isAnswered, String query) {}

  private static List<Panel> panels() throws IOException {
    List<Panel> panels = new ArrayList<>();
    try (InputStream file = PanelShareTest.class.getResourceAsStream("/promql-panels.txt")) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.lines().filter(line -> !line.startsWith("#")).toList()) {
        String rest = line.substring(line.indexOf(" | ") + 3);
        boolean isAnswered = !rest.startsWith("no | ");
        panels.add(new Panel(isAnswered, isAnswered ? rest : rest.substring(5)));
      }
    }
    return panels;
  }

  private static TestingPromQl queries(List<Panel> panels) {
    Set<String> names = new TreeSet<>();
    for (Panel panel : panels) {
      NAME.matcher(panel.query()).results().forEach(found -> names.add(found.group()));
    }
    List<StoredMetric> metrics = new ArrayList<>();
    List<RawPoint> points = new ArrayList<>();
    for (String name : names) {
      boolean isCounter = name.matches(".*_(total|count|sum|bucket)");
      metrics.add(new StoredMetric(name, isCounter ? "counter" : "gauge", "1", "host"));
      for (int minute = 1; minute < 20; minute++) {
        points.add(
            new RawPoint(
                "org-a",
                "env-1",
                name,
                Map.of("metric.le", "+Inf"),
                NOW.minusSeconds(60L * minute),
                minute,
                null));
      }
    }
    TestingProgress progress = new TestingProgress();
    progress.completeUntil(NOW);
    return new TestingPromQl(points, List.of(), metrics, Set.of("metric.le"), progress, NOW);
  }

  @Test
  void panelsOfUsualDashboardsAreAnsweredOrKnownNotToBe() throws IOException {
    List<Panel> panels = panels();
    TestingPromQl queries = queries(panels);
    StepTimes times = StepTimes.range(NOW.toEpochMilli() - 600_000, NOW.toEpochMilli(), 60_000);
    int answered = 0;
    for (Panel panel : panels) {
      String refusal = "";
      try {
        queries.evaluate(TestingPromQl.caller("org-a"), panel.query(), times);
        answered++;
      } catch (ProblemException refused) {
        refusal = refused.getMessage();
      }
      assertThat(refusal.isEmpty())
          .as(panel.query() + ": " + refusal)
          .isEqualTo(panel.isAnswered());
      if (!refusal.isEmpty()) {
        assertThat(refusal).as(panel.query()).contains("not supported: ");
      }
    }
    assertThat(panels).hasSizeGreaterThan(100);
    assertThat(Files.readString(PAGE))
        .contains(answered + " of " + panels.size() + " panels of usual dashboards");
  }
}
