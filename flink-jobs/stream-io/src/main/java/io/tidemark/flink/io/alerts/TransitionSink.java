package io.tidemark.flink.io.alerts;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.contracts.alerts.v1.TransitionKind;
import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.ExactlyOnce;
import io.tidemark.flink.io.ExactlyOnceSinks;
import io.tidemark.flink.io.KeyAndValue;
import io.tidemark.flink.model.alert.AlertState;
import io.tidemark.flink.model.alert.AlertTransition;
import io.tidemark.flink.model.alert.GroupLabels;
import org.apache.flink.api.connector.sink2.Sink;

/** The topic of transitions, exactly once; events/tidemark/alerts/v1/transition.proto. */
public final class TransitionSink {

  private static final int LARGEST_RECORD = 1_000_000;

  private TransitionSink() {}

  public static Sink<AlertTransition> of(Brokers brokers, String topic, ExactlyOnce transactions) {
    return ExactlyOnceSinks.sink(
        brokers,
        transactions,
        "transitions",
        LARGEST_RECORD,
        new KeyAndValue<>(topic, TransitionSink::key, TransitionSink::value));
  }

  static byte[] key(AlertTransition transition) {
    return String.join(
            "/",
            transition.organizationId(),
            transition.environmentId(),
            transition.ruleId(),
            transition.groupId())
        .getBytes(UTF_8);
  }

  static byte[] value(AlertTransition transition) {
    var record =
        io.tidemark.contracts.alerts.v1.AlertTransition.newBuilder()
            .setTransitionId(transition.transitionId())
            .setOrganizationId(transition.organizationId())
            .setEnvironmentId(transition.environmentId())
            .setRuleId(transition.ruleId())
            .setRuleVersion(transition.ruleVersion())
            .setGroupId(transition.groupId())
            .putAllGroup(GroupLabels.read(transition.group()))
            .setSequence(transition.sequence())
            .setKind(TransitionKind.valueOf("TRANSITION_KIND_" + transition.kind().name()))
            .setState(state(transition.state()))
            .setPreviousState(state(transition.previousState()))
            .setIncidentId(transition.incidentId())
            .setMinuteUnixMs(transition.minute())
            .setSinceUnixMs(transition.since())
            .setUntilUnixMs(transition.until())
            .setThreshold(transition.threshold())
            .setSeverity(transition.severity())
            .setCompleteUntilUnixMs(transition.completeUntil())
            .setEarly(transition.early())
            .setRevised(transition.revised())
            .setReleased(transition.released())
            .setReason(transition.reason());
    if (!Double.isNaN(transition.value())) {
      record.setValue(transition.value());
    }
    return record.build().toByteArray();
  }

  private static io.tidemark.contracts.alerts.v1.AlertState state(AlertState state) {
    return io.tidemark.contracts.alerts.v1.AlertState.valueOf("ALERT_STATE_" + state.name());
  }
}
