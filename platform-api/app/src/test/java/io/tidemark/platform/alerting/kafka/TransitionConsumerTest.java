package io.tidemark.platform.alerting.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.contracts.alerts.v1.AlertState;
import io.tidemark.contracts.alerts.v1.AlertTransition;
import io.tidemark.contracts.alerts.v1.TransitionKind;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TransitionConsumerTest {

  private static ConsumerRecord<byte[], byte[]> record(byte @Nullable [] value) {
    return new ConsumerRecord<>(TransitionConsumer.TOPIC, 0, 0, new byte[0], value);
  }

  private static AlertTransition.Builder transition(String id) {
    return AlertTransition.newBuilder()
        .setTransitionId(id)
        .setOrganizationId("org-one")
        .setEnvironmentId("env-a")
        .setRuleId("rule-a")
        .setGroupId("group-a")
        .setKind(TransitionKind.TRANSITION_KIND_FIRED)
        .setState(AlertState.ALERT_STATE_FIRING);
  }

  @Test
  void aRecordThatIsNoTransitionIsPassed() {
    List<io.tidemark.platform.alerting.AlertTransition> transitions =
        TransitionConsumer.transitions(
            List.of(
                record(transition("first").build().toByteArray()),
                record("no protobuf".getBytes(UTF_8)),
                record(null),
                record(transition("nobody's").setOrganizationId("").build().toByteArray()),
                record(
                    transition("no kind")
                        .setKind(TransitionKind.TRANSITION_KIND_UNSPECIFIED)
                        .build()
                        .toByteArray()),
                record(transition("last").build().toByteArray())));

    assertThat(transitions)
        .extracting(io.tidemark.platform.alerting.AlertTransition::id)
        .containsExactly("first", "last");
  }
}
