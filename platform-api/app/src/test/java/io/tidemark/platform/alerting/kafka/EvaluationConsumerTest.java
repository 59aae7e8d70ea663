package io.tidemark.platform.alerting.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.contracts.alerts.v1.RuleEvaluation;
import io.tidemark.platform.alerting.AlertingProperties;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EvaluationConsumerTest {

  private final EvaluationConsumer consumer =
      new EvaluationConsumer(
          new AlertingProperties(
              "", "group", Duration.ofSeconds(2), "", List.of(), Duration.ofHours(1)));

  private void read(String rule, byte @Nullable [] value) {
    consumer.read(
        new ConsumerRecord<>(EvaluationConsumer.TOPIC, 0, 0, rule.getBytes(UTF_8), value));
  }

  private static byte[] groups(long groups) {
    return RuleEvaluation.newBuilder().setRuleVersion(1).setGroups(groups).build().toByteArray();
  }

  @Test
  void groupsOfAnEnvironmentAreThoseOfItsRules() {
    TenantId organization = new TenantId("org-a");
    EnvironmentId environment = new EnvironmentId("env-a");
    assertEquals(0, consumer.groups(organization, environment));
    read("org-a/env-a/rule-1", groups(100));
    read("org-a/env-a/rule-2", groups(20));
    read("org-a/env-a/rule-2", groups(30));
    read("org-a/env-ab/rule-3", groups(7));
    read("org-b/env-a/rule-4", groups(7));
    assertEquals(130, consumer.groups(organization, environment));

    read("org-a/env-a/rule-1", null);
    assertEquals(30, consumer.groups(organization, environment));
  }
}
