package io.tidemark.platform.alerting.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.platform.alerting.AlertTransition;
import io.tidemark.platform.alerting.AlertingProperties;
import io.tidemark.platform.alerting.TransitionIntake;
import io.tidemark.platform.kafka.KafkaConsumerLoop;
import io.tidemark.platform.kafka.PipelineConsumers;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Reads transitions of alerts. An offset is committed after the database has what was read before
 * it; a transition that comes twice changes nothing. The transitions of one poll share
 * transactions.
 */
@Component
@ConditionalOnRole(ProcessRole.NOTIFY)
class TransitionConsumer implements SmartLifecycle {

  static final String TOPIC = "alerts.transitions.v1";

  private static final Logger LOG = LoggerFactory.getLogger(TransitionConsumer.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final int MAX_AT_ONCE = 500;

  private final AlertingProperties properties;
  private final TransitionIntake intake;
  private final KafkaConsumerLoop loop;

  TransitionConsumer(AlertingProperties properties, TransitionIntake intake) {
    this.properties = properties;
    this.intake = intake;
    this.loop = new KafkaConsumerLoop("alert-transitions", this::open, this::follow, () -> {});
  }

  @Override
  public void start() {
    if (!properties.kafka().isEmpty()) {
      loop.start();
    }
  }

  private void follow(Consumer<byte[], byte[]> consumer) {
    consumer.subscribe(List.of(TOPIC));
    while (!loop.isStopping()) {
      var records = consumer.poll(POLL);
      if (!records.isEmpty()) {
        intake.record(transitions(records));
        consumer.commitSync();
      }
      loop.works();
    }
  }

  /** Transitions of records, in their order. A record that is none is logged and passed. */
  static List<AlertTransition> transitions(Iterable<ConsumerRecord<byte[], byte[]>> records) {
    List<AlertTransition> transitions = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      try {
        transitions.add(transition(record.value()));
      } catch (InvalidProtocolBufferException | RuntimeException notOfTheContract) {
        LOG.warn(
            "Not a transition of an alert: {} {} {}",
            record.topic(),
            record.partition(),
            record.offset());
      }
    }
    return transitions;
  }

  static AlertTransition transition(byte[] value) throws InvalidProtocolBufferException {
    var record = io.tidemark.contracts.alerts.v1.AlertTransition.parseFrom(value);
    return new AlertTransition(
        record.getTransitionId(),
        new TenantId(record.getOrganizationId()),
        new EnvironmentId(record.getEnvironmentId()),
        record.getRuleId(),
        record.getRuleVersion(),
        record.getGroupId(),
        Map.copyOf(record.getGroupMap()),
        record.getSequence(),
        AlertTransition.Kind.valueOf(word(record.getKind().name(), "TRANSITION_KIND_")),
        word(record.getState().name(), "ALERT_STATE_").toLowerCase(Locale.ROOT),
        record.getIncidentId(),
        Instant.ofEpochMilli(record.getMinuteUnixMs()),
        Instant.ofEpochMilli(record.getSinceUnixMs()),
        record.getUntilUnixMs() == 0 ? null : Instant.ofEpochMilli(record.getUntilUnixMs()),
        record.hasValue() ? record.getValue() : null,
        record.getThreshold(),
        Instant.ofEpochMilli(record.getCompleteUntilUnixMs()),
        record.getEarly(),
        record.getRevised(),
        record.getReleased(),
        record.getReason());
  }

  private static String word(String name, String prefix) {
    return name.substring(prefix.length());
  }

  private Consumer<byte[], byte[]> open() {
    return PipelineConsumers.member(
        properties.kafka(), "platform-api-alerting", properties.group(), MAX_AT_ONCE);
  }

  @Override
  public void stop() {
    loop.stop();
  }

  @Override
  public boolean isRunning() {
    return loop.isRunning();
  }
}
