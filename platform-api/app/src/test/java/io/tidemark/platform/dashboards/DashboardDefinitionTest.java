package io.tidemark.platform.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.dashboards.DashboardDefinition.Condition;
import io.tidemark.platform.dashboards.DashboardDefinition.Panel;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class DashboardDefinitionTest {

  private static final Panel PANEL =
      new Panel("In", "time_series", "a.b", "RATE", List.of("metric.topic"), null, 2, null);

  private static DashboardDefinition of(String title, Panel... panels) {
    return new DashboardDefinition(1, title, null, null, Arrays.asList(panels));
  }

  private static Panel text(String text) {
    return new Panel(null, "text", null, null, null, null, 1, text);
  }

  @Test
  void whatTheConsoleWritesHasNoFault() {
    Panel conditioned =
        new Panel(
            "",
            "stat",
            "a",
            "LAST",
            null,
            List.of(new Condition("metric.x", "NE", "=<b>\u202e\ud83d\ude00\nline")),
            1,
            null);
    assertThat(of("Kafka \ud83d\ude00", PANEL, conditioned, text("a\n\tb")).faults()).isEmpty();
    assertThat(of("No panels yet").faults()).isEmpty();
  }

  @Test
  void everyFaultIsNamedAtOnceWithItsPlace() {
    DashboardDefinition bad =
        new DashboardDefinition(
            2,
            " ",
            "\u0000",
            "a\nb",
            Arrays.asList(
                null,
                new Panel(
                    "x".repeat(101),
                    null,
                    "",
                    null,
                    Collections.nCopies(21, "a"),
                    Arrays.asList((Condition) null),
                    3,
                    null),
                text("\ud800")));
    assertThat(bad.faults())
        .containsExactly(
            "version must be 1.",
            "title must be 1 to 100 characters, no control characters.",
            "description must be at most 1000 characters, no control characters but line breaks"
                + " and tabs.",
            "resource_type must be at most 255 characters, no control characters.",
            "panels[0] must be an object.",
            "panels[1].type is missing.",
            "panels[1].title must be at most 100 characters, no control characters.",
            "panels[1].width must be 1 or 2.",
            "panels[1].metric must be 1 to 255 characters.",
            "panels[1].agg is missing.",
            "panels[1].by must be at most 20 labels of 1 to 512 characters.",
            "panels[1].where must be at most 20 conditions, each with a label of 1 to 512"
                + " characters, an op and a value of at most 1024.",
            "panels[2].text must be at most 4000 characters, no control characters but line breaks"
                + " and tabs.");
  }

  @Test
  void panelsBeyondTheMostAreCountedAndNotLookedAt() {
    assertThat(of("x", Collections.nCopies(61, (Panel) null).toArray(new Panel[0])).faults())
        .containsExactly("panels must be at most 60; there are 61.");
  }

  @Test
  void aCopyKeepsWithinTheLengthOfATitle() {
    DashboardDefinition copy = of("\ud83d\ude00".repeat(100), PANEL).copy();
    assertThat(copy.title()).isEqualTo("\ud83d\ude00".repeat(93) + " (copy)");
    assertThat(copy.panels()).containsExactly(PANEL);
    assertThat(copy.faults()).isEmpty();
  }

  @Test
  void whatIsStoredIsReadAsTheSame() {
    DashboardDefinition definition = of("Kafka", PANEL, text("a"));
    assertThat(DashboardJson.definition(DashboardJson.text(definition))).isEqualTo(definition);
  }
}
