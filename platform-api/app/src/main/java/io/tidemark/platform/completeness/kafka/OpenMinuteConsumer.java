package io.tidemark.platform.completeness.kafka;

import io.tidemark.platform.kafka.KafkaConsumerLoop;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.MetricKind;
import io.tidemark.platform.metricstore.OpenMinuteCell;
import io.tidemark.platform.metricstore.OpenMinutes;
import io.tidemark.platform.metricstore.OpenMinutesState;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.springframework.context.SmartLifecycle;

/**
 * Reads the open minutes from Kafka, all the time, and begins with what the topic holds at every
 * start. While it is not at the end of the topic nothing is shown: an old cell would stand for
 * newer rows.
 */
public final class OpenMinuteConsumer implements OpenMinutes, SmartLifecycle {

  private static final String TOPIC = "telemetry.live.v1";
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Longer than this behind the end of the topic, nothing is shown. */
  private static final Duration MAX_LAG = Duration.ofSeconds(5);

  private final KafkaConsumerLoop following;
  private final Function<TenantId, Optional<Instant>> completeUntil;
  private final Function<TenantId, Set<String>> hiddenEnvironments;
  private final int maxCells;
  private final Clock clock;
  private volatile OpenMinuteCache cells;
  private volatile Instant atEnd = Instant.MIN;

  /**
   * A reader that has read nothing yet.
   *
   * @param consumers makes one that is to be used for one connection
   * @param completeUntil until when all rows of an organisation can be read; empty while that is
   *     not known
   * @param hiddenEnvironments of which nothing may be shown
   * @param maxCells number of cells in memory, of one organisation half of it
   */
  public OpenMinuteConsumer(
      Supplier<Consumer<byte[], byte[]>> consumers,
      Function<TenantId, Optional<Instant>> completeUntil,
      Function<TenantId, Set<String>> hiddenEnvironments,
      int maxCells,
      Clock clock) {
    this.following =
        new KafkaConsumerLoop("open-minutes", consumers, this::read, () -> atEnd = Instant.MIN);
    this.completeUntil = completeUntil;
    this.hiddenEnvironments = hiddenEnvironments;
    this.maxCells = maxCells;
    this.clock = clock;
    this.cells = new OpenMinuteCache(maxCells);
  }

  private boolean isCurrent() {
    return atEnd.isAfter(clock.instant().minus(MAX_LAG));
  }

  @Override
  public OpenMinutesView shown(
      TenantId organization,
      Optional<String> metric,
      IntervalSet minutes,
      Predicate<Map<String, String>> wanted) {
    if (!isCurrent()) {
      return new OpenMinutesView(OpenMinutesState.ABSENT, List.of());
    }
    OpenMinuteCache now = cells;
    List<OpenMinuteCell> shown =
        now.cells(
            organization.value(), metric, minutes, hiddenEnvironments.apply(organization), wanted);
    return new OpenMinutesView(now.state(organization.value(), metric, minutes), shown);
  }

  @Override
  public Set<MetricKind> kindsOf(TenantId organization, String metric) {
    return cells.kinds(organization.value(), metric);
  }

  /** How many cells are in memory. */
  public int size() {
    return cells.size();
  }

  @Override
  public void start() {
    following.start();
  }

  @Override
  public void stop() {
    following.stop();
  }

  @Override
  public boolean isRunning() {
    return following.isRunning();
  }

  /** Until there are other partitions; from the beginning, so with no cells. */
  private void read(Consumer<byte[], byte[]> consumer) {
    OpenMinuteCache own = new OpenMinuteCache(maxCells);
    cells = own;
    List<TopicPartition> partitions = partitions(consumer);
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, PATIENCE);
    boolean wasAtEnd = false;
    Instant forgotten = clock.instant();
    while (!following.isStopping()) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(PERIOD)) {
        own.snapshot(record.value());
      }
      wasAtEnd =
          wasAtEnd
              || ends.entrySet().stream()
                  .allMatch(end -> consumer.position(end.getKey(), PATIENCE) >= end.getValue());
      Instant now = clock.instant();
      if (wasAtEnd
          && partitions.stream().allMatch(each -> consumer.currentLag(each).orElse(1) == 0)) {
        atEnd = now;
        following.works();
      }
      if (now.isAfter(forgotten.plusSeconds(1))) {
        forgotten = now;
        own.forget(now.toEpochMilli(), this::completeUntil);
        if (partitions(consumer).size() != partitions.size()) {
          return;
        }
      }
    }
  }

  private long completeUntil(String organization) {
    return completeUntil
        .apply(new TenantId(organization))
        .map(Instant::toEpochMilli)
        .orElse(Long.MIN_VALUE);
  }

  private static List<TopicPartition> partitions(Consumer<byte[], byte[]> consumer) {
    return consumer.partitionsFor(TOPIC, PATIENCE).stream()
        .map(info -> new TopicPartition(info.topic(), info.partition()))
        .toList();
  }
}
