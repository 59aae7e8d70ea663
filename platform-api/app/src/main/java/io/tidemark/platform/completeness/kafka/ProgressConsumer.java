package io.tidemark.platform.completeness.kafka;

import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.completeness.PlacedOffsets;
import io.tidemark.platform.completeness.ReadProgress;
import io.tidemark.platform.completeness.StoreOffsets;
import io.tidemark.platform.kafka.PipelineConsumers;
import io.tidemark.platform.metricstore.Level;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.SplitInterval;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Consumes the pipeline's progress records from Kafka and compares them with the store's offsets.
 * What it knows is kept in memory and read again from the beginning at every start.
 */
public final class ProgressConsumer implements PipelineProgress, SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(ProgressConsumer.class);
  private static final TopicPartition WATERMARKS = new TopicPartition("pipeline.watermarks.v1", 0);
  private static final TopicPartition ROUTES = new TopicPartition("pipeline.routes.v1", 0);
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** The lake is asked for what is days old, and commits twice a minute. */
  private static final Duration LAKE_PERIOD = Duration.ofSeconds(10);

  /**
   * For how long what Druid said is believed while it does not answer again. Rows of a task that
   * died are missed by nobody before its process has started again or its session has ended, which
   * takes longer.
   */
  static final Duration BELIEVED = Duration.ofSeconds(5);

  /** A reader commits its place every five seconds. */
  private static final Duration READ_PERIOD = Duration.ofSeconds(5);

  /** Between two offsets there may be marks of transactions; more than this is rows. */
  private static final long MAX_GAP = 500;

  private final String bootstrapServers;
  private final ProgressTopics topics = new ProgressTopics();
  private final StoreProgress druid;
  private final PlacedProgress placed;
  private final Optional<StoreProgress> lake;
  private volatile boolean isCaughtUp;

  /** The latest that all stores of Druid confirmed; what they do not confirm again stays. */
  private volatile long readableUntil = Long.MIN_VALUE;

  private volatile boolean stopping;
  private boolean failing;
  private final RefreshSchedule druidRefresh = new RefreshSchedule(System::nanoTime);
  private final InstantSource clock;
  private final Optional<RollupJobOffsets> rollupJob;
  private final ReadPosition readPosition;
  private boolean isReadFailing;
  private long readAsked = System.nanoTime() - READ_PERIOD.toNanos();
  private long lakeAsked = System.nanoTime() - LAKE_PERIOD.toNanos();
  private final boolean reads;
  private @Nullable Thread thread;

  /**
   * A reader that has read nothing yet.
   *
   * @param druid of the datasources that all share
   * @param placed of datasources of an organisation's own
   * @param receives whether points are received here, so that how far they are read is looked at
   * @param reads whether it reads while this process runs; one that does not knows nothing
   */
  public ProgressConsumer(
      String bootstrapServers,
      StoreOffsets druid,
      PlacedOffsets placed,
      Optional<StoreOffsets> lake,
      boolean receives,
      boolean reads,
      InstantSource clock) {
    this.bootstrapServers = bootstrapServers;
    this.reads = reads;
    this.clock = clock;
    this.rollupJob =
        receives && reads ? Optional.of(new RollupJobOffsets(bootstrapServers)) : Optional.empty();
    this.readPosition = new ReadPosition(clock.instant());
    this.druid = new StoreProgress(druid, Optional.of(BELIEVED), System::nanoTime);
    this.placed = new PlacedProgress(placed, BELIEVED, System::nanoTime);
    // What is committed to the lake stays there.
    this.lake = lake.map(each -> new StoreProgress(each, Optional.empty(), System::nanoTime));
  }

  @Override
  public Optional<Instant> completeUntil(TenantId organization) {
    druidRefresh.wanted();
    return lastCompleteUntil(organization);
  }

  /** The same for who looks all the time: Druid is not asked more often for it. */
  public Optional<Instant> lastCompleteUntil(TenantId organization) {
    return placed.completeUntil(organization, druid.completeUntil(organization));
  }

  @Override
  public Optional<Instant> committedUntil(TenantId organization) {
    return topics.committedUntil(organization.value());
  }

  /**
   * The same of everybody who is not named as late; empty before the topic has been read to its end
   * once, as what it says first is days old.
   */
  Optional<Instant> committedUntil() {
    return isCaughtUp ? time(topics.stated().completeUntil()) : Optional.empty();
  }

  /**
   * Everything of everybody who is not named as late, that ends at or before this time, could be
   * read in Druid once. While Druid does not say, or lacks rows again, this stands still.
   */
  Optional<Instant> readableUntil() {
    return time(readableUntil);
  }

  private static Optional<Instant> time(long unixMs) {
    return unixMs > 0 ? Optional.of(Instant.ofEpochMilli(unixMs)) : Optional.empty();
  }

  @Override
  public ReadProgress read() {
    return rollupJob
        .map(looking -> readPosition.at(clock.instant()))
        .orElse(ReadProgress.NOT_LOOKED_AT);
  }

  @Override
  public Optional<Instant> lakeCompleteUntil(TenantId organization) {
    return lake.flatMap(store -> store.completeUntil(organization));
  }

  /**
   * Offsets that the shared datasources have read up to, by partition; empty while their progress
   * is not known. Nobody's rows are called complete beyond them.
   */
  public Optional<Map<Integer, Long>> taken(Source source) {
    druidRefresh.wanted();
    return druid.taken(source.topic());
  }

  @Override
  public NavigableMap<Long, Map<String, Long>> lateRows(TenantId organization, Level level) {
    return topics.lateRows(organization.value(), level);
  }

  @Override
  public List<SplitInterval> splits(TenantId organization, Optional<String> metric) {
    if (!isCaughtUp) {
      throw ProblemException.passing(
          null,
          ErrorCode.STORE_UNAVAILABLE,
          "It is not known yet where the rows of this metric are: the routes in Kafka have not been"
              + " read since the start. Try again in some seconds.",
          Duration.ofSeconds(5));
    }
    return topics.splits(organization.value(), metric);
  }

  @Override
  public boolean isAutoStartup() {
    return reads;
  }

  @Override
  public synchronized void start() {
    stopping = false;
    thread = new Thread(this::runUntilStopped, "pipeline-progress");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void stop() {
    Thread running;
    synchronized (this) {
      stopping = true;
      running = thread;
      thread = null;
    }
    Objects.requireNonNull(running).interrupt();
    try {
      running.join(PATIENCE.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return thread != null;
  }

  private void runUntilStopped() {
    while (!stopping) {
      try (Consumer<byte[], byte[]> statements =
              PipelineConsumers.following(bootstrapServers, "platform-api-progress");
          Consumer<byte[], byte[]> rows =
              PipelineConsumers.of(bootstrapServers, "platform-api-rows")) {
        statements.assign(List.of(WATERMARKS, ROUTES));
        statements.seekToBeginning(List.of(WATERMARKS, ROUTES));
        while (!stopping) {
          turn(statements, rows);
        }
      } catch (RuntimeException failure) {
        druid.saysNothing();
        placed.saysNothing();
        lake.ifPresent(StoreProgress::saysNothing);
        if (!stopping) {
          if (!failing) {
            LOG.warn(
                "The pipeline's progress cannot be read; trying again: {}", failure.toString());
          }
          failing = true;
          pause();
        }
      }
    }
  }

  private void turn(Consumer<byte[], byte[]> statements, Consumer<byte[], byte[]> rows) {
    for (ConsumerRecord<byte[], byte[]> record : statements.poll(druidRefresh.pause())) {
      if (record.topic().equals(WATERMARKS.topic())) {
        topics.progress(record.value());
      } else {
        topics.route(record.key(), record.value());
      }
    }
    isCaughtUp = isCaughtUp || isAtEnd(statements);
    druidRefresh.progress(topics.stated().completeUntil(), druid.confirmedUntil());
    // Records of every job come at moments of their own; each is no reason to ask a store again.
    if (isCaughtUp && druidRefresh.isDue(druid.isKnown())) {
      reach(druid, rows);
      placed.ask(store -> reach(store, rows));
      readableUntil = Math.max(readableUntil, placed.confirmedUntil(druid.confirmedUntil()));
      druidRefresh.progress(topics.stated().completeUntil(), druid.confirmedUntil());
    }
    if (System.nanoTime() - readAsked >= READ_PERIOD.toNanos()) {
      readAsked = System.nanoTime();
      rollupJob.ifPresent(this::lookAt);
    }
    if (isCaughtUp && System.nanoTime() - lakeAsked >= LAKE_PERIOD.toNanos()) {
      lakeAsked = System.nanoTime();
      lake.ifPresent(store -> reach(store, rows));
    }
    failing = false;
  }

  private void lookAt(RollupJobOffsets job) {
    Instant before = clock.instant();
    try {
      RollupJobOffsets.Offsets offsets = job.now();
      readPosition.look(before, offsets.ends(), offsets.read());
      isReadFailing = false;
    } catch (KafkaException away) {
      // What was known grows old, and answers say so.
      if (!isReadFailing) {
        LOG.warn("How far points are read is not known; trying again: {}", away.toString());
      }
      isReadFailing = true;
    }
  }

  private static boolean isAtEnd(Consumer<byte[], byte[]> statements) {
    return statements.endOffsets(statements.assignment(), PATIENCE).entrySet().stream()
        .allMatch(end -> statements.position(end.getKey(), PATIENCE) >= end.getValue());
  }

  private void reach(StoreProgress store, Consumer<byte[], byte[]> rows) {
    store.ask(
        topics.stated(),
        () -> rows.endOffsets(partitions(rows), PATIENCE),
        (partition, from, to) -> holdsMarksOnly(store, rows, partition, from, to));
  }

  private static Collection<TopicPartition> partitions(Consumer<byte[], byte[]> rows) {
    Map<Source, List<PartitionInfo>> infos = new EnumMap<>(Source.class);
    for (Source source : Source.values()) {
      infos.put(source, rows.partitionsFor(source.topic(), PATIENCE));
    }
    return infos.values().stream()
        .flatMap(List::stream)
        .map(info -> new TopicPartition(info.topic(), info.partition()))
        .toList();
  }

  /** The store counts offsets of rows, the topic also those of commit marks behind them. */
  private boolean holdsMarksOnly(
      StoreProgress store,
      Consumer<byte[], byte[]> rows,
      TopicPartition partition,
      long from,
      long to) {
    if (to - from > MAX_GAP) {
      return false;
    }
    if (store.isKnownGap(partition, from, to)) {
      return true;
    }
    rows.assign(List.of(partition));
    rows.seek(partition, from);
    while (rows.position(partition, PATIENCE) < to) {
      if (!rows.poll(PERIOD).records(partition).isEmpty()) {
        return false;
      }
      if (stopping) {
        return false;
      }
    }
    store.gap(partition, from, to);
    return true;
  }

  private static void pause() {
    try {
      Thread.sleep(1_000);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
