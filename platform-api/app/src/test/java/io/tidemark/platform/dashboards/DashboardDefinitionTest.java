package io.tidemark.platform.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.dashboards.DashboardDefinition.Condition;
import io.tidemark.platform.dashboards.DashboardDefinition.Panel;
import io.tidemark.platform.dashboards.DashboardDefinition.Variable;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class DashboardDefinitionTest {

  private static final Panel PANEL =
      new Panel("In", "time_series", "a.b", "RATE", List.of("metric.topic"), null, 2, null);

  private static DashboardDefinition of(String title, Panel... panels) {
    return new DashboardDefinition(1, title, null, null, null, Arrays.asList(panels));
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
            null,
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

  private static Panel where(String value) {
    return new Panel(
        "", "heat_map", "a", "SUM", null, List.of(new Condition("metric.x", "EQ", value)), 1, null);
  }

  private static DashboardDefinition with(List<Variable> variables, Panel... panels) {
    return new DashboardDefinition(1, "Topics", null, null, variables, Arrays.asList(panels));
  }

  @Test
  void conditionsNameVariables() {
    List<Variable> variables =
        List.of(
            new Variable("topic", "metric.topic", null, false),
            new Variable("_Client2", "metric.client", List.of("a", "b"), true));
    DashboardDefinition right =
        with(variables, where("$topic"), where("$_Client2"), where("$ 5"), where("a$topic"));
    assertThat(right.faults()).isEmpty();
    assertThat(right.copy().variables()).isEqualTo(variables);
    assertThat(DashboardJson.definition(DashboardJson.text(right))).isEqualTo(right);
    assertThat(with(null, where("$topic")).faults()).as("text where nothing varies").isEmpty();
  }

  @Test
  void faultsOfVariablesHaveTheirPlaceToo() {
    assertThat(
            with(
                    Arrays.asList(
                        null,
                        new Variable("1st", "", null, false),
                        new Variable("a", "metric.a", List.of("x", "y"), false),
                        new Variable("a", "metric.a\n", Arrays.asList((String) null), true)),
                    where("$a"),
                    where("$topic"))
                .faults())
        .containsExactly(
            "variables[0] must be an object.",
            "variables[1].name must be a letter or _, then letters, digits or _; at most 64"
                + " characters.",
            "variables[1].label must be 1 to 512 characters, no control characters.",
            "variables[2].default has several values; set multi, or leave one.",
            "variables[3].name repeats a.",
            "variables[3].label must be 1 to 512 characters, no control characters.",
            "variables[3].default must be at most 20 values of 1 to 1024 characters.",
            "panels[1].where[0].value names $topic, which is no variable of the dashboard.");
    assertThat(with(Collections.nCopies(11, null)).faults())
        .containsExactly("variables must be at most 10; there are 11.");
  }

  /** Rows of before there were variables. */
  @Test
  void whatWasStoredWithoutVariablesHasNone() {
    DashboardDefinition old =
        DashboardJson.definition(
            "{\"form\":1,\"title\":\"Kafka\",\"description\":null,\"resourceType\":null,\"panels\":[]}");
    assertThat(old.variables()).isEmpty();
    assertThat(old).isEqualTo(of("Kafka"));
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
