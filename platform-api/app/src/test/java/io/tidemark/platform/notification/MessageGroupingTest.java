package io.tidemark.platform.notification;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.alerting.Incident;
import io.tidemark.platform.shared.EnvironmentId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which transitions may share a message, and what is refused. */
class MessageGroupingTest {

  private static final Instant AT = Instant.parse("2026-11-23T10:00:00Z");

  private static Incident incident(String rule, String severity, String queue, String team) {
    return new Incident(
        "inc-1",
        new EnvironmentId("env-a"),
        7,
        rule,
        "Queue is long",
        severity,
        "open",
        "firing",
        Map.of("metric.queue", queue),
        Map.of("team", team),
        Map.of(),
        null,
        AT,
        null,
        AT,
        150.0,
        100.0,
        null,
        null,
        null,
        true,
        null,
        false,
        3);
  }

  private static List<String> faults(
      String kind, List<String> by, @Nullable Integer wait, @Nullable Integer most) {
    List<String> faults = new ArrayList<>();
    new MessageGrouping(by, wait, most).check(kind, faults);
    return faults;
  }

  @ParameterizedTest
  @CsvSource({
    "slack, 50, 5",
    "teams, 50, 5",
    "email, 50, 5",
    "webhook, 1, 5",
    "health_plus, 1, 5",
    "pagerduty, 1, 5",
    "opsgenie, 1, 5"
  })
  void whatPeopleReadIsGroupedAndMachinesHearEachTransition(String kind, int most, int seconds) {
    MessageGrouping shipped = MessageGrouping.shipped(kind);

    assertThat(shipped.most()).isEqualTo(most);
    assertThat(shipped.isOff()).isEqualTo(most == 1);
    assertThat(shipped.patience()).isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void withoutLabelsARuleIsAGroup() {
    MessageGrouping grouping = MessageGrouping.shipped("slack");
    Incident one = incident("rule-1", "critical", "orders", "it");

    assertThat(grouping.key(incident("rule-1", "info", "mails", "sales")))
        .isEqualTo(grouping.key(one));
    assertThat(grouping.key(incident("rule-2", "critical", "orders", "it")))
        .isNotEqualTo(grouping.key(one));
    assertThat(grouping.name(one)).isEqualTo("Queue is long");
  }

  @Test
  void allLabelsMustBeTheSame() {
    MessageGrouping grouping =
        new MessageGrouping(List.of("labels.team", "metric.queue"), null, null);
    Incident one = incident("rule-1", "critical", "orders", "it");

    assertThat(grouping.key(incident("rule-2", "info", "orders", "it")))
        .isEqualTo(grouping.key(one));
    assertThat(grouping.key(incident("rule-1", "critical", "mails", "it")))
        .isNotEqualTo(grouping.key(one));
    assertThat(grouping.key(incident("rule-1", "critical", "orders", "")))
        .isNotEqualTo(grouping.key(one));
    assertThat(grouping.name(one)).isEqualTo("labels.team=it, metric.queue=orders");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pagerduty", "opsgenie", "health_plus"})
  void machinesThatGroupThemselvesAreNotGrouped(String kind) {
    assertThat(faults(kind, List.of(), null, 1)).singleElement().asString().contains(kind);
  }

  @ParameterizedTest
  @CsvSource({
    "rule_id, -1, 1, group_messages.wait_seconds",
    "rule_id, 301, 1, group_messages.wait_seconds",
    "rule_id, 0, 0, group_messages.max_transitions",
    "rule_id, 0, 101, group_messages.max_transitions",
    "team, 0, 1, group_messages.by"
  })
  void whatCannotBeIsRefusedByField(String label, int wait, int most, String field) {
    assertThat(faults("slack", List.of(label), wait, most))
        .singleElement()
        .asString()
        .startsWith(field);
  }

  @Test
  void aLabelIsNamedOnce() {
    assertThat(faults("slack", List.of("severity", "severity"), null, null)).hasSize(1);
    assertThat(faults("slack", List.of("severity", "labels.team"), 300, 100)).isEmpty();
  }
}
