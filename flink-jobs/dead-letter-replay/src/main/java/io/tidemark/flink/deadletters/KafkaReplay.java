package io.tidemark.flink.deadletters;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.contracts.deadletter.replay.ReplayCandidate;
import io.tidemark.contracts.deadletter.replay.ReplayPass;
import io.tidemark.contracts.deadletter.v1.DeadLetter;
import io.tidemark.contracts.deadletter.v1.Replayed;
import io.tidemark.flink.io.points.PointsHeaders;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Reads the dead letters of now, and writes batches and notes of them in one transaction each time.
 * The notes are read after the transactional id was taken: what another replay wrote until then is
 * in them, and it can write no more.
 */
final class KafkaReplay {

  private static final String TRANSACTIONAL_ID = "tidemark-dead-letter-replay";
  private static final int BATCHES_PER_TRANSACTION = 200;
  private static final int LARGEST_REQUEST = 17_825_792;
  private static final Duration POLL = Duration.ofSeconds(1);

  private final ReplayArguments arguments;
  private final Clock clock;

  KafkaReplay(ReplayArguments arguments, Clock clock) {
    this.arguments = arguments;
    this.clock = clock;
  }

  /** Counts by organisation, reason and fate. */
  Map<ReplayPass.Outcome, ReplayPass.Count> run() {
    if (!arguments.isExecuted()) {
      return walk(batch -> {});
    }
    try (Producer<byte[], byte[]> producer = producer()) {
      producer.initTransactions();
      Transactions transactions = new Transactions(producer);
      Map<ReplayPass.Outcome, ReplayPass.Count> counts = walk(transactions::write);
      transactions.commit();
      return counts;
    }
  }

  private Map<ReplayPass.Outcome, ReplayPass.Count> walk(Consumer<ReplayCandidate.Batch> target) {
    Set<String> replayed = new HashSet<>();
    read(arguments.replaysTopic(), note -> replayed.add(new String(note.key(), UTF_8)));
    ReplayPass pass =
        new ReplayPass(arguments.selection(), replayed, new HashSet<>(), clock.millis(), target);
    read(arguments.deadLettersTopic(), record -> pass.letter(letter(record)));
    return pass.counts();
  }

  private static DeadLetter letter(ConsumerRecord<byte[], byte[]> record) {
    try {
      return DeadLetter.parseFrom(record.value());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(
          "Record "
              + record.topic()
              + "-"
              + record.partition()
              + "@"
              + record.offset()
              + " is no dead letter. Find who writes to this topic besides the jobs.",
          e);
    }
  }

  /** All committed records from the beginning to the end of now. */
  private void read(String topic, Consumer<ConsumerRecord<byte[], byte[]>> each) {
    Map<String, Object> settings = arguments.brokers().settings();
    settings.put("isolation.level", "read_committed");
    settings.put("enable.auto.commit", "false");
    settings.put("auto.offset.reset", "earliest");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          if (record.value() != null) {
            each.accept(record);
          }
        }
      }
    }
  }

  private Producer<byte[], byte[]> producer() {
    Map<String, Object> settings = arguments.brokers().settings();
    settings.put("transactional.id", TRANSACTIONAL_ID);
    settings.put("max.request.size", LARGEST_REQUEST);
    settings.put("compression.type", "lz4");
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private final class Transactions {
    private final Producer<byte[], byte[]> producer;
    private int open;

    Transactions(Producer<byte[], byte[]> producer) {
      this.producer = producer;
    }

    void write(ReplayCandidate.Batch batch) {
      if (open == 0) {
        producer.beginTransaction();
      }
      // A failure to send fails the commit.
      var unusedPoints = producer.send(points(batch));
      var unusedNote = producer.send(note(batch));
      open++;
      if (open == BATCHES_PER_TRANSACTION) {
        commit();
      }
    }

    void commit() {
      if (open > 0) {
        producer.commitTransaction();
        open = 0;
      }
    }
  }

  private ProducerRecord<byte[], byte[]> points(ReplayCandidate.Batch batch) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            arguments.pointsTopic(), HexFormat.of().parseHex(batch.batchId()), batch.value());
    header(record, PointsHeaders.ORGANIZATION_ID, batch.organizationId());
    header(record, PointsHeaders.ENVIRONMENT_ID, batch.environmentId());
    header(record, PointsHeaders.BATCH_ID, batch.batchId());
    header(record, PointsHeaders.RECEIVED_AT_UNIX_MS, Long.toString(batch.receivedAtUnixMs()));
    return record;
  }

  private ProducerRecord<byte[], byte[]> note(ReplayCandidate.Batch batch) {
    return new ProducerRecord<>(
        arguments.replaysTopic(),
        batch.batchId().getBytes(UTF_8),
        Replayed.newBuilder()
            .setOrganizationId(batch.organizationId())
            .setEnvironmentId(batch.environmentId())
            .setPointCount(batch.points())
            .setReplayedAtUnixMs(clock.millis())
            .build()
            .toByteArray());
  }

  private static void header(ProducerRecord<byte[], byte[]> record, String name, String value) {
    record.headers().add(name, value.getBytes(UTF_8));
  }
}
