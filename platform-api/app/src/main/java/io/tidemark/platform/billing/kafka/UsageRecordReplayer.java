package io.tidemark.platform.billing.kafka;

import io.tidemark.platform.billing.BillingProperties;
import io.tidemark.platform.billing.MeteredRecord;
import io.tidemark.platform.billing.UsageLedger;
import io.tidemark.platform.billing.UsageRepair;
import io.tidemark.platform.kafka.PipelineConsumers;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Reads the topic of usage records again from the beginning of an hour and enters what the ledger
 * lacks. What it has is left alone, so this may be done at any time and by several processes.
 */
@Component
class UsageRecordReplayer implements UsageRepair {

  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int AT_A_TIME = 2_000;

  private final String topic;
  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final ToIntFunction<List<MeteredRecord>> ledger;

  @Autowired
  UsageRecordReplayer(BillingProperties properties, UsageLedger ledger) {
    this(
        properties.usageTopic(),
        () -> PipelineConsumers.of(properties.kafka(), "platform-api-usage-repair"),
        ledger::record);
  }

  UsageRecordReplayer(
      String topic,
      Supplier<Consumer<byte[], byte[]>> consumers,
      ToIntFunction<List<MeteredRecord>> ledger) {
    this.topic = topic;
    this.consumers = consumers;
    this.ledger = ledger;
  }

  @Override
  public Repaired repair(TenantId organization, Instant from, Instant to) {
    try (Consumer<byte[], byte[]> consumer = consumers.get()) {
      Map<TopicPartition, Long> ends = assign(consumer, from);
      long until = System.nanoTime() + PATIENCE.toNanos();
      long read = 0;
      int entered = 0;
      List<MeteredRecord> wanted = new ArrayList<>();
      while (!isRead(consumer, ends)) {
        if (System.nanoTime() > until) {
          throw unavailable("There are more usage records than can be read in a minute.");
        }
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          MeteredRecord found = wanted(record, organization, from, to);
          if (found != null) {
            wanted.add(found);
            read++;
          }
        }
        if (wanted.size() >= AT_A_TIME) {
          entered += ledger.applyAsInt(wanted);
          wanted = new ArrayList<>();
        }
      }
      if (!wanted.isEmpty()) {
        entered += ledger.applyAsInt(wanted);
      }
      return new Repaired(read, entered);
    } catch (KafkaException away) {
      throw unavailable("The topic of usage records cannot be read now.");
    }
  }

  /** Places the consumer at the first record of the hour; where its partitions end now. */
  private Map<TopicPartition, Long> assign(Consumer<byte[], byte[]> consumer, Instant from) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(one -> new TopicPartition(topic, one.partition()))
            .toList();
    consumer.assign(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    Map<TopicPartition, Long> times = new HashMap<>();
    partitions.forEach(one -> times.put(one, from.toEpochMilli()));
    // Records are appended after their hour began.
    Map<TopicPartition, OffsetAndTimestamp> places = consumer.offsetsForTimes(times);
    for (TopicPartition one : partitions) {
      OffsetAndTimestamp place = places.get(one);
      consumer.seek(one, place == null ? ends.get(one) : place.offset());
    }
    return ends;
  }

  private static boolean isRead(Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  private static @Nullable MeteredRecord wanted(
      ConsumerRecord<byte[], byte[]> record, TenantId organization, Instant from, Instant to) {
    try {
      MeteredRecord read = UsageRecordReader.read(record.value());
      return read.organization().equals(organization)
              && !read.hour().isBefore(from)
              && read.hour().isBefore(to)
          ? read
          : null;
    } catch (UsageRecordReader.UnreadableRecordException unreadable) {
      return null;
    }
  }

  private static ProblemException unavailable(String why) {
    return ProblemException.passing(
        null,
        ErrorCode.STORE_UNAVAILABLE,
        why + " What was entered so far stays; try again.",
        Duration.ofSeconds(30));
  }
}
