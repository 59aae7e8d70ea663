package io.tidemark.platform.metricstore.recent;

import io.tidemark.platform.kafka.KafkaConsumerLoop;
import io.tidemark.platform.metricstore.Level;
import io.tidemark.platform.metricstore.RecentMinutes;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.Store;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.StoreRow;
import io.tidemark.platform.metricstore.VisibleRows;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Reads rows of minutes from Kafka as Druid does, committed ones once, and keeps the newest in
 * memory. They answer only while everything is here that Druid has taken: what is said of how
 * complete an answer is comes from Druid.
 */
public final class RecentRowConsumer implements RecentMinutes, SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(RecentRowConsumer.class);
  private static final String TOPIC = Source.MINUTES.topic();
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Points are taken that are ten minutes ahead of the clock, and clocks differ. */
  private static final Duration MARGIN = Duration.ofMinutes(30);

  /** What one connection has read: rows, and of each partition up to which offset. */
  private record Read(RecentRows rows, Map<Integer, Long> positions) {}

  private final KafkaConsumerLoop following;
  private final Supplier<Optional<Map<Integer, Long>>> taken;
  private final VisibleRows shown;
  private final Size size;
  private final Clock clock;
  private volatile Read read = new Read(new RecentRows(0, Long.MAX_VALUE), Map.of());

  /**
   * How much is kept.
   *
   * @param time rows of older minutes are forgotten
   * @param rows most of them in memory, of one organisation half
   * @param maxResult maximum number of rows of an answer
   */
  public record Size(Duration time, int rows, int maxResult) {}

  /**
   * A reader that has read nothing yet.
   *
   * @param consumers makes one that is to be used for one connection
   * @param taken offsets of the topic that Druid has read up to; empty while that is not known
   */
  public RecentRowConsumer(
      Supplier<Consumer<byte[], byte[]>> consumers,
      Supplier<Optional<Map<Integer, Long>>> taken,
      VisibleRows shown,
      Size size,
      Clock clock) {
    this.following = new KafkaConsumerLoop("recent-rows", consumers, this::read, this::forgetAll);
    this.taken = taken;
    this.shown = shown;
    this.size = size;
    this.clock = clock;
  }

  @Override
  public Optional<List<StoreRow>> rows(TenantId organization, StoreQuery query) {
    return whole(query)
        .flatMap(
            rows ->
                rows.rows(
                    organization, query, shown.of(organization, Source.MINUTES), size.maxResult()));
  }

  @Override
  public OptionalLong estimate(TenantId organization, StoreQuery query) {
    return whole(query)
        .map(rows -> rows.estimate(organization, query))
        .orElseGet(OptionalLong::empty);
  }

  /** About how many rows are in memory. */
  public long size() {
    return read.rows().size();
  }

  /** Rows that have everything that Druid has taken, of minutes that they keep at all. */
  private Optional<RecentRows> whole(StoreQuery query) {
    if (query.part().source() != Source.MINUTES || query.part().store() != Store.DRUID) {
      return Optional.empty();
    }
    Read now = read;
    return taken
        .get()
        .filter(
            offsets ->
                offsets.entrySet().stream()
                    .allMatch(
                        each ->
                            now.positions().getOrDefault(each.getKey(), -1L) >= each.getValue()))
        .map(offsets -> now.rows());
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

  private void forgetAll() {
    read = new Read(new RecentRows(0, Long.MAX_VALUE), Map.of());
  }

  private long keptFrom() {
    long minute = Level.MINUTE.width();
    return Math.floorDiv(clock.millis() - size.time().toMillis(), minute) * minute;
  }

  /** Until there are other partitions. */
  private void add(RecentRows rows, ConsumerRecord<byte[], byte[]> record) {
    try {
      rows.add(record.value());
    } catch (RuntimeException unreadable) {
      leaveToDruid(rows, record, unreadable);
    }
  }

  private void read(Consumer<byte[], byte[]> consumer) {
    long from = keptFrom();
    RecentRows rows = new RecentRows(size.rows(), from);
    List<TopicPartition> partitions = partitions(consumer);
    consumer.assign(partitions);
    seek(consumer, partitions, from - MARGIN.toMillis());
    long forgotten = clock.millis();
    while (!following.isStopping()) {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(PERIOD);
      rows.update(() -> records.forEach(record -> add(rows, record)));
      Map<Integer, Long> positions = new HashMap<>();
      for (TopicPartition partition : partitions) {
        positions.put(partition.partition(), consumer.position(partition, PATIENCE));
      }
      read = new Read(rows, positions);
      following.works();
      if (clock.millis() - forgotten >= 1_000) {
        forgotten = clock.millis();
        rows.forget(keptFrom());
        if (partitions(consumer).size() != partitions.size()) {
          LOG.info("{} has other partitions; recent rows are read again", TOPIC);
          return;
        }
      }
    }
  }

  /**
   * A record that cannot be read may hold rows of any minute that had begun when it was written:
   * Druid answers all of them.
   */
  private void leaveToDruid(
      RecentRows rows, ConsumerRecord<byte[], byte[]> record, RuntimeException why) {
    long written = record.timestamp() < 0 ? clock.millis() : record.timestamp();
    Instant from = Instant.ofEpochMilli(written).plus(MARGIN);
    rows.forget(from.toEpochMilli());
    LOG.warn(
        "{}-{} at offset {} cannot be read; memory answers minutes from {} only: {}",
        record.topic(),
        record.partition(),
        record.offset(),
        from,
        why.toString());
  }

  private static void seek(
      Consumer<byte[], byte[]> consumer, List<TopicPartition> partitions, long time) {
    Map<TopicPartition, Long> times = new HashMap<>();
    partitions.forEach(partition -> times.put(partition, time));
    // Asked first, so that whatever comes later comes behind it.
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, PATIENCE);
    Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(times, PATIENCE);
    for (TopicPartition partition : partitions) {
      OffsetAndTimestamp offset = found.get(partition);
      long from = Objects.requireNonNull(ends.get(partition));
      consumer.seek(partition, offset == null ? from : Math.min(offset.offset(), from));
    }
  }

  private static List<TopicPartition> partitions(Consumer<byte[], byte[]> consumer) {
    return consumer.partitionsFor(TOPIC, PATIENCE).stream()
        .map(info -> new TopicPartition(info.topic(), info.partition()))
        .toList();
  }
}
