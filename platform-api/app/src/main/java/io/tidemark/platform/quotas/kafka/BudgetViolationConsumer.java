package io.tidemark.platform.quotas.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.contracts.budgets.v1.BudgetExceeded;
import io.tidemark.platform.kafka.KafkaConsumerLoop;
import io.tidemark.platform.kafka.PipelineConsumers;
import io.tidemark.platform.quotas.BudgetViolations;
import io.tidemark.platform.quotas.QuotaProperties;
import io.tidemark.platform.quotas.SeriesBudgetStatus.Budget;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Follows the pipeline's topic of exceeded budgets, each instance by itself and all the time.
 * Begins with what still counts; while the topic cannot be read nothing new is known, and in the
 * end nobody is refused.
 */
@Component
@ConditionalOnRole(ProcessRole.INGEST)
class BudgetViolationConsumer implements SmartLifecycle {

  static final TopicPartition TOLD = new TopicPartition("pipeline.budgets.v1", 0);

  private static final Logger LOG = LoggerFactory.getLogger(BudgetViolationConsumer.class);
  private static final Duration POLL = Duration.ofSeconds(1);

  private final BudgetViolations told;
  private final Clock clock;
  private final boolean isWanted;
  private final KafkaConsumerLoop loop;

  @Autowired
  BudgetViolationConsumer(QuotaProperties properties, BudgetViolations told, Clock clock) {
    this(() -> open(properties), told, clock, !properties.kafka().isEmpty());
  }

  BudgetViolationConsumer(
      Supplier<Consumer<byte[], byte[]>> consumers,
      BudgetViolations told,
      Clock clock,
      boolean isWanted) {
    this.told = told;
    this.clock = clock;
    this.isWanted = isWanted;
    this.loop = new KafkaConsumerLoop("exceeded-budgets", consumers, this::follow, () -> {});
  }

  @Override
  public void start() {
    if (!isWanted) {
      return;
    }
    loop.start();
  }

  @Override
  public void stop() {
    loop.stop();
  }

  @Override
  public boolean isRunning() {
    return loop.isRunning();
  }

  private void follow(Consumer<byte[], byte[]> consumer) {
    begin(consumer);
    while (!loop.isStopping()) {
      consumer.poll(POLL).forEach(this::read);
      loop.works();
    }
  }

  private void begin(Consumer<byte[], byte[]> opened) {
    opened.assign(List.of(TOLD));
    long oldest = clock.instant().minus(BudgetViolations.COUNTS_FOR).toEpochMilli();
    OffsetAndTimestamp first = opened.offsetsForTimes(Map.of(TOLD, oldest)).get(TOLD);
    if (first == null) {
      opened.seekToEnd(List.of(TOLD));
    } else {
      opened.seek(TOLD, first.offset());
    }
  }

  private void read(ConsumerRecord<byte[], byte[]> record) {
    try {
      BudgetExceeded exceeded = BudgetExceeded.parseFrom(record.value());
      Optional<Budget> budget = budget(exceeded);
      if (budget.isPresent()) {
        told.told(
            new TenantId(exceeded.getOrganizationId()),
            new EnvironmentId(exceeded.getEnvironmentId()),
            budget.get(),
            exceeded.getLimit(),
            Instant.ofEpochMilli(exceeded.getObservedAtUnixMs()));
      }
    } catch (InvalidProtocolBufferException | RuntimeException notOfTheContract) {
      LOG.warn("Not a record of an exceeded budget: {} {}", record.topic(), record.offset());
    }
  }

  /** Empty for one that has nothing to do with the number of series. */
  private static Optional<Budget> budget(BudgetExceeded exceeded) {
    return switch (exceeded.getBudget()) {
      case BUDGET_ACTIVE_SERIES, BUDGET_ACTIVE_SERIES_PER_ORGANIZATION ->
          Optional.of(Budget.ACTIVE_SERIES);
      case BUDGET_NEW_SERIES_PER_MINUTE -> Optional.of(Budget.NEW_SERIES_PER_MINUTE);
      default -> Optional.empty();
    };
  }

  private static Consumer<byte[], byte[]> open(QuotaProperties properties) {
    return PipelineConsumers.following(properties.kafka(), "platform-api-budgets");
  }
}
