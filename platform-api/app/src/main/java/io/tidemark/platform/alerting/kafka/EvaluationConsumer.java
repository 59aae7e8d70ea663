package io.tidemark.platform.alerting.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.platform.alerting.AlertingProperties;
import io.tidemark.platform.alerting.RuleEvaluation;
import io.tidemark.platform.alerting.RuleEvaluations;
import io.tidemark.platform.kafka.KafkaConsumerLoop;
import io.tidemark.platform.kafka.PipelineConsumers;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Keeps the last record of each rule in memory. Every process reads the whole topic, so each
 * answers alike.
 */
@Component
class EvaluationConsumer implements RuleEvaluations, SmartLifecycle {

  static final String TOPIC = "alerts.evaluations.v1";

  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final AlertingProperties properties;
  private final Map<String, RuleEvaluation> byRule = new ConcurrentHashMap<>();
  private final KafkaConsumerLoop loop;
  private volatile boolean known;

  EvaluationConsumer(AlertingProperties properties) {
    this.properties = properties;
    this.loop =
        new KafkaConsumerLoop("alert-evaluations", this::open, this::follow, () -> known = false);
  }

  @Override
  public boolean isKnown() {
    return known;
  }

  @Override
  public Optional<Instant> newest() {
    return known
        ? byRule.values().stream().map(RuleEvaluation::decidedUntil).max(Instant::compareTo)
        : Optional.empty();
  }

  @Override
  public Optional<RuleEvaluation> of(
      TenantId organization, EnvironmentId environment, String rule) {
    return Optional.ofNullable(byRule.get(organization + "/" + environment + "/" + rule));
  }

  @Override
  public long groups(TenantId organization, EnvironmentId environment) {
    String rules = organization + "/" + environment + "/";
    return byRule.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(rules))
        .mapToLong(entry -> entry.getValue().groups())
        .sum();
  }

  @Override
  public void start() {
    if (!properties.kafka().isEmpty()) {
      loop.start();
    }
  }

  private void follow(Consumer<byte[], byte[]> consumer) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(TOPIC, PATIENCE).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    // Tombstones may be gone that came while nobody read.
    byRule.clear();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, PATIENCE);
    while (!loop.isStopping()) {
      consumer.poll(POLL).forEach(this::read);
      known =
          known
              || ends.entrySet().stream()
                  .allMatch(end -> consumer.position(end.getKey(), PATIENCE) >= end.getValue());
      loop.works();
    }
  }

  /** A record that is none of the contract says nothing of its rule. */
  void read(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() == null) {
      return;
    }
    String rule = new String(record.key(), UTF_8);
    try {
      if (record.value() == null) {
        byRule.remove(rule);
      } else {
        byRule.put(rule, evaluation(record.value()));
      }
    } catch (InvalidProtocolBufferException notOfTheContract) {
      byRule.remove(rule);
    }
  }

  static RuleEvaluation evaluation(byte[] value) throws InvalidProtocolBufferException {
    var record = io.tidemark.contracts.alerts.v1.RuleEvaluation.parseFrom(value);
    return new RuleEvaluation(
        record.getRuleVersion(),
        Instant.ofEpochMilli(record.getDecidedUntilUnixMs()),
        record.getGroups(),
        record.getBehind());
  }

  private Consumer<byte[], byte[]> open() {
    return PipelineConsumers.following(properties.kafka(), "platform-api-evaluations");
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
