package io.tidemark.platform.replay.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.contracts.deadletter.replay.ReplayCandidate;
import io.tidemark.contracts.deadletter.v1.DeadLetter;
import io.tidemark.contracts.deadletter.v1.Replayed;
import io.tidemark.platform.kafka.BrokerAccess;
import io.tidemark.platform.kafka.PipelineConsumers;
import io.tidemark.platform.replay.OffsetRange;
import io.tidemark.platform.replay.ReplayProperties;
import io.tidemark.platform.replay.ReplayRunner.ReplayFencedException;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * The topics of a replay. The transactional id is that of the command: whoever takes it last
 * writes, and the other's open transaction is undone.
 */
@Component
class KafkaReplayLog implements ReplayLog {

  static final String TRANSACTIONAL_ID = "tidemark-dead-letter-replay";
  static final int BATCHES_PER_TRANSACTION = 200;
  private static final int LARGEST_REQUEST = 17_825_792;
  private static final Duration POLL = Duration.ofSeconds(1);

  /** So long nothing may come before the brokers count as away. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(KafkaReplayLog.class);

  private final ReplayProperties properties;
  private final Clock clock;
  private final Supplier<org.apache.kafka.clients.consumer.Consumer<byte[], byte[]>> consumers;
  private final Supplier<Producer<byte[], byte[]>> producers;

  @Autowired
  KafkaReplayLog(ReplayProperties properties, Clock clock) {
    this(
        properties,
        clock,
        () -> PipelineConsumers.of(properties.kafka(), "platform-api-dead-letter-replay"),
        () -> producer(properties));
  }

  KafkaReplayLog(
      ReplayProperties properties,
      Clock clock,
      Supplier<org.apache.kafka.clients.consumer.Consumer<byte[], byte[]>> consumers,
      Supplier<Producer<byte[], byte[]>> producers) {
    this.properties = properties;
    this.clock = clock;
    this.consumers = consumers;
    this.producers = producers;
  }

  @Override
  public List<OffsetRange> letters(Instant writtenFrom) {
    return reading(
        consumer -> {
          List<TopicPartition> partitions = partitions(consumer, properties.deadLettersTopic());
          Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
          Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
          Map<TopicPartition, Long> times = new HashMap<>();
          partitions.forEach(each -> times.put(each, Math.max(0, writtenFrom.toEpochMilli())));
          var found = consumer.offsetsForTimes(times);
          List<OffsetRange> ranges = new ArrayList<>();
          for (TopicPartition each : partitions) {
            long end = of(ends, each);
            // Null when nothing was written since.
            var first = found.get(each);
            long begin = first == null ? end : Math.max(first.offset(), of(begins, each));
            ranges.add(new OffsetRange(each.partition(), Math.min(begin, end), end));
          }
          return ranges;
        });
  }

  @Override
  public void read(List<OffsetRange> ranges, Consumer<DeadLetter> each, Consumer<Long> read) {
    Map<TopicPartition, OffsetRange> wanted = new HashMap<>();
    for (OffsetRange range : ranges) {
      if (range.records() > 0) {
        wanted.put(new TopicPartition(properties.deadLettersTopic(), range.partition()), range);
      }
    }
    walk(wanted, record -> letter(record, each), read);
  }

  private static void letter(ConsumerRecord<byte[], byte[]> record, Consumer<DeadLetter> each) {
    DeadLetter letter;
    try {
      letter = DeadLetter.parseFrom(record.value());
    } catch (InvalidProtocolBufferException notOfTheForm) {
      LOG.warn("{}-{}@{} is no dead letter", record.topic(), record.partition(), record.offset());
      return;
    }
    each.accept(letter);
  }

  @Override
  public void notes(BiConsumer<String, String> each) {
    Map<TopicPartition, OffsetRange> all =
        reading(
            consumer -> {
              List<TopicPartition> partitions = partitions(consumer, properties.replaysTopic());
              Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
              Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
              Map<TopicPartition, OffsetRange> ranges = new HashMap<>();
              for (TopicPartition partition : partitions) {
                OffsetRange range =
                    new OffsetRange(
                        partition.partition(), of(begins, partition), of(ends, partition));
                if (range.records() > 0) {
                  ranges.put(partition, range);
                }
              }
              return ranges;
            });
    walk(
        all,
        record -> each.accept(new String(record.key(), UTF_8), by(record.value())),
        read -> {});
  }

  /** A note that cannot be read says all the same that the letter was replayed. */
  private static String by(byte[] note) {
    try {
      return Replayed.parseFrom(note).getReplayId();
    } catch (InvalidProtocolBufferException notOfTheForm) {
      return "";
    }
  }

  private void walk(
      Map<TopicPartition, OffsetRange> ranges,
      Consumer<ConsumerRecord<byte[], byte[]>> each,
      Consumer<Long> read) {
    if (ranges.isEmpty()) {
      return;
    }
    reading(
        consumer -> {
          consumer.assign(ranges.keySet());
          Map<TopicPartition, Long> begins = consumer.beginningOffsets(ranges.keySet());
          Map<TopicPartition, Long> positions = new HashMap<>();
          // What the topic has forgotten meanwhile is passed over.
          ranges.forEach(
              (partition, range) ->
                  positions.put(partition, Math.max(range.begin(), of(begins, partition))));
          positions.forEach(consumer::seek);
          Instant last = clock.instant();
          while (isUnderWay(ranges, positions)) {
            ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
            long advanced = 0;
            for (ConsumerRecord<byte[], byte[]> record : records) {
              TopicPartition partition = new TopicPartition(record.topic(), record.partition());
              if (record.offset() < Objects.requireNonNull(ranges.get(partition)).end()
                  && record.value() != null) {
                each.accept(record);
              }
            }
            for (TopicPartition partition : ranges.keySet()) {
              // Marks of transactions are positions without a record.
              long position = Math.min(consumer.position(partition), ranges.get(partition).end());
              advanced += Math.max(0, position - of(positions, partition));
              positions.merge(partition, position, Math::max);
            }
            read.accept(advanced);
            Instant now = clock.instant();
            if (advanced > 0) {
              last = now;
            } else if (now.isAfter(last.plus(PATIENCE))) {
              throw away(null);
            }
          }
          return positions;
        });
  }

  private static long of(Map<TopicPartition, Long> offsets, TopicPartition partition) {
    return Objects.requireNonNull(offsets.get(partition));
  }

  private static boolean isUnderWay(
      Map<TopicPartition, OffsetRange> ranges, Map<TopicPartition, Long> positions) {
    return ranges.entrySet().stream()
        .anyMatch(range -> of(positions, range.getKey()) < range.getValue().end());
  }

  private static List<TopicPartition> partitions(
      org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer, String topic) {
    return consumer.partitionsFor(topic).stream()
        .map(partition -> new TopicPartition(topic, partition.partition()))
        .toList();
  }

  private <T> T reading(
      java.util.function.Function<org.apache.kafka.clients.consumer.Consumer<byte[], byte[]>, T>
          work) {
    try (org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer = consumers.get()) {
      return work.apply(consumer);
    } catch (KafkaException away) {
      throw away(away);
    }
  }

  private static ProblemException away(@Nullable KafkaException cause) {
    return ProblemException.passing(
        cause,
        ErrorCode.STORE_UNAVAILABLE,
        "The topics of a replay cannot be reached now. It is tried again.",
        Duration.ofSeconds(15));
  }

  @Override
  public Writer open() {
    Producer<byte[], byte[]> producer = null;
    try {
      producer = producers.get();
      producer.initTransactions();
      return new TransactionWriter(producer);
    } catch (KafkaException failure) {
      if (producer != null) {
        producer.close(Duration.ZERO);
      }
      throw away(failure);
    }
  }

  private static Producer<byte[], byte[]> producer(ReplayProperties properties) {
    return new KafkaProducer<>(
        BrokerAccess.with(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                properties.kafka(),
                ProducerConfig.CLIENT_ID_CONFIG,
                "platform-api-dead-letter-replay",
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                TRANSACTIONAL_ID,
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                LARGEST_REQUEST,
                ProducerConfig.BUFFER_MEMORY_CONFIG,
                32L * 1024 * 1024,
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                20_000,
                ProducerConfig.COMPRESSION_TYPE_CONFIG,
                "lz4")),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private final class TransactionWriter implements Writer {
    private final Producer<byte[], byte[]> producer;
    private int open;

    TransactionWriter(Producer<byte[], byte[]> producer) {
      this.producer = producer;
    }

    @Override
    public void write(ReplayCandidate.Batch batch, String replay) {
      writing(
          () -> {
            if (open == 0) {
              producer.beginTransaction();
            }
            // A failure to send fails the commit.
            var unusedPoints = producer.send(points(batch));
            var unusedNote = producer.send(note(batch, replay));
            open++;
            if (open == BATCHES_PER_TRANSACTION) {
              committed();
            }
          });
    }

    @Override
    public void commit() {
      writing(this::committed);
    }

    private void committed() {
      if (open > 0) {
        producer.commitTransaction();
        open = 0;
      }
    }

    private void writing(Runnable work) {
      try {
        work.run();
      } catch (KafkaException failure) {
        throw isFenced(failure) ? new ReplayFencedException(failure) : away(failure);
      }
    }

    private static boolean isFenced(Throwable failure) {
      for (Throwable each = failure; each != null; each = each.getCause()) {
        if (each instanceof ProducerFencedException
            || each instanceof InvalidProducerEpochException) {
          return true;
        }
      }
      return false;
    }

    @Override
    public void close() {
      // An open transaction is undone by whoever takes the id next, or by its time.
      producer.close(open == 0 ? Duration.ofSeconds(5) : Duration.ZERO);
    }
  }

  private ProducerRecord<byte[], byte[]> points(ReplayCandidate.Batch batch) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            properties.pointsTopic(), HexFormat.of().parseHex(batch.batchId()), batch.value());
    header(record, "tidemark.organization_id", batch.organizationId());
    header(record, "tidemark.environment_id", batch.environmentId());
    header(record, "tidemark.batch_id", batch.batchId());
    header(record, "tidemark.received_at_unix_ms", Long.toString(batch.receivedAtUnixMs()));
    return record;
  }

  private ProducerRecord<byte[], byte[]> note(ReplayCandidate.Batch batch, String replay) {
    return new ProducerRecord<>(
        properties.replaysTopic(),
        batch.batchId().getBytes(UTF_8),
        Replayed.newBuilder()
            .setOrganizationId(batch.organizationId())
            .setEnvironmentId(batch.environmentId())
            .setPointCount(batch.points())
            .setReplayedAtUnixMs(clock.millis())
            .setReplayId(replay)
            .build()
            .toByteArray());
  }

  private static void header(ProducerRecord<byte[], byte[]> record, String name, String value) {
    record.headers().add(name, value.getBytes(UTF_8));
  }
}
