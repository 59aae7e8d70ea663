package io.tidemark.platform.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingAlerts;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What labels say is put in once and never read as a template. */
class AnnotationTemplateTest {

  private static AlertTransition transition(Map<String, String> group) {
    AlertTransition one =
        TestingAlerts.transition(
            new TenantId("org-a"), "env-a", "rule-a", "inc-a", 1, AlertTransition.Kind.FIRED);
    return new AlertTransition(
        one.id(),
        one.organization(),
        one.environment(),
        one.ruleId(),
        one.ruleVersion(),
        one.groupId(),
        group,
        one.sequence(),
        one.kind(),
        one.state(),
        one.incidentId(),
        one.minute(),
        one.since(),
        one.until(),
        one.value(),
        one.threshold(),
        one.completeUntil(),
        one.early(),
        one.revised(),
        one.released(),
        one.reason());
  }

  @Test
  void placesAreFilledWithWhatDecided() {
    String text = "{{labels.metric.queue}}: {{ value }} of {{threshold}}, {{labels.none}}{{other}}";

    assertThat(AnnotationTemplate.fill(text, transition(Map.of("metric.queue", "orders"))))
        .isEqualTo("orders: 150.0 of 100.0, {{other}}");
  }

  @Test
  void aLabelThatIsATemplateStaysText() {
    String hostile = "{{labels.metric.queue}}{{value}}$1\\";

    assertThat(
            AnnotationTemplate.fill(
                "{{labels.metric.queue}}", transition(Map.of("metric.queue", hostile))))
        .isEqualTo(hostile);
  }

  @Test
  void theTextHasAGreatestLength() {
    String text = "{{labels.metric.queue}}".repeat(40);

    assertThat(AnnotationTemplate.fill(text, transition(Map.of("metric.queue", "x".repeat(1_000)))))
        .hasSize(4_000);
  }
}
