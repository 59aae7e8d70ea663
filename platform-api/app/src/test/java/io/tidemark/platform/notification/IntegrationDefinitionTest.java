package io.tidemark.platform.notification;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Incidents go to whom they concern, by severity and label. */
class IntegrationDefinitionTest {

  private static IntegrationDefinition of(List<String> severities, Map<String, String> labels) {
    return new IntegrationDefinition(
        "Pager", "webhook", "https://example.org/", true, severities, labels, null);
  }

  @ParameterizedTest
  @CsvSource({
    "critical, it, true",
    "warning, it, true",
    "info, it, false",
    "critical, sales, false",
    "critical, '', false"
  })
  void bothSeverityAndLabelsMustFit(String severity, String team, boolean isConcerned) {
    IntegrationDefinition pager = of(List.of("warning", "critical"), Map.of("team", "it"));

    assertThat(pager.concerns(severity, Map.of("team", team, "more", "x"))).isEqualTo(isConcerned);
  }

  @ParameterizedTest
  @CsvSource({"critical", "warning", "info"})
  void oneWithoutConditionsHearsOfAll(String severity) {
    assertThat(of(List.of(), Map.of()).concerns(severity, Map.of())).isTrue();
  }
}
