package io.tidemark.platform.quotas.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.contracts.budgets.v1.Budget;
import io.tidemark.contracts.budgets.v1.BudgetExceeded;
import io.tidemark.platform.quotas.BudgetViolations;
import io.tidemark.platform.quotas.SeriesBudgetStatus;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.InterruptibleDelay;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BudgetViolationConsumerTest {

  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  /** What was told, in its order. */
  private static final class RecordingViolations extends BudgetViolations {
    private final List<String> all = new CopyOnWriteArrayList<>();

    @Override
    public void told(
        TenantId organization,
        EnvironmentId environment,
        SeriesBudgetStatus.Budget budget,
        long limit,
        Instant at) {
      all.add(
          String.join(" ", organization.value(), environment.value(), budget.name()) + " " + at);
    }

    List<String> await(int number) {
      return InterruptibleDelay.until(
          number + " records",
          Duration.ofSeconds(20),
          () -> Optional.of(new ArrayList<>(all)),
          heard -> heard.size() == number);
    }
  }

  /** A topic whose records have the time of their offset, in seconds before now, backwards. */
  private static final class Topic extends MockConsumer<byte[], byte[]> {
    private final long end;

    Topic(long end) {
      super("latest");
      this.end = end;
      updateBeginningOffsets(Map.of(BudgetViolationConsumer.TOLD, 0L));
      updateEndOffsets(Map.of(BudgetViolationConsumer.TOLD, end));
    }

    @Override
    public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
        Map<TopicPartition, Long> times) {
      long seconds = (NOW.toEpochMilli() - times.get(BudgetViolationConsumer.TOLD)) / 1_000;
      Map<TopicPartition, OffsetAndTimestamp> first = new HashMap<>();
      first.put(
          BudgetViolationConsumer.TOLD,
          end == 0 ? null : new OffsetAndTimestamp(Math.max(0, end - seconds), 0));
      return first;
    }
  }

  private final RecordingViolations heard = new RecordingViolations();
  private final BlockingQueue<Consumer<byte[], byte[]>> connections = new LinkedBlockingQueue<>();
  private final BudgetViolationConsumer reading =
      new BudgetViolationConsumer(this::next, heard, Clock.fixed(NOW, ZoneOffset.UTC), true);

  private Consumer<byte[], byte[]> next() {
    try {
      return connections.take();
    } catch (InterruptedException stopped) {
      throw new KafkaException(stopped);
    }
  }

  @AfterEach
  void stop() {
    // Whoever waits for a connection gets one that ends it.
    connections.add(new Topic(0));
    reading.stop();
  }

  private static byte[] record(String organization, Budget budget) {
    return BudgetExceeded.newBuilder()
        .setOrganizationId(organization)
        .setEnvironmentId("prod")
        .setMetric("orders")
        .setBudget(budget)
        .setLimit(5)
        .setObservedAtUnixMs(NOW.toEpochMilli())
        .build()
        .toByteArray();
  }

  private static void add(Topic topic, long offset, byte[] value) {
    topic.schedulePollTask(
        () ->
            topic.addRecord(
                new ConsumerRecord<>(
                    BudgetViolationConsumer.TOLD.topic(), 0, offset, null, value)));
  }

  @Test
  void beginsWithWhatStillCountsAndTakesBudgetsOfSeriesOnly() {
    Topic topic = new Topic(1_000);
    add(topic, 879, record("org-old", Budget.BUDGET_ACTIVE_SERIES));
    add(topic, 880, record("org-a", Budget.BUDGET_ACTIVE_SERIES));
    add(topic, 881, record("org-b", Budget.BUDGET_LABELS_PER_SERIES));
    add(topic, 882, new byte[] {1, 2, 3});
    add(topic, 883, record("Not an identifier", Budget.BUDGET_ACTIVE_SERIES));
    add(topic, 884, null);
    add(topic, 885, record("org-c", Budget.BUDGET_NEW_SERIES_PER_MINUTE));
    connections.add(topic);
    reading.start();
    assertThat(heard.await(2))
        .containsExactly(
            "org-a prod ACTIVE_SERIES " + NOW, "org-c prod NEW_SERIES_PER_MINUTE " + NOW);
  }

  @Test
  void beginsAgainAfterAFailure() {
    Topic first = new Topic(1);
    add(first, 0, record("org-a", Budget.BUDGET_ACTIVE_SERIES));
    first.schedulePollTask(() -> first.setPollException(new KafkaException("away")));
    Topic second = new Topic(2);
    add(second, 1, record("org-b", Budget.BUDGET_ACTIVE_SERIES));
    connections.add(first);
    connections.add(second);
    reading.start();
    assertThat(heard.await(2)).last().isEqualTo("org-b prod ACTIVE_SERIES " + NOW);
  }

  @Test
  void anEmptyTopicIsReadFromItsEnd() {
    Topic topic = new Topic(0);
    add(topic, 0, record("org-a", Budget.BUDGET_ACTIVE_SERIES));
    connections.add(topic);
    reading.start();
    assertThat(heard.await(1)).containsExactly("org-a prod ACTIVE_SERIES " + NOW);
  }
}
