package io.tidemark.flink.rollup.bench;

import io.tidemark.flink.testing.Fleet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * The first steps of a fleet in a topic.
 *
 * @param topic the points topic
 * @param fleet who sent it
 * @param steps how many steps there are
 */
record Input(String topic, Fleet fleet, long steps) {

  long batches() {
    return steps * fleet.batchesPerStep();
  }

  long points() {
    return batches() * Fleet.POINTS_PER_BATCH;
  }

  /** The same topic with points of the present, each batch at its place in the step. */
  Input from(long firstMs) {
    return new Input(topic, new Fleet(fleet.series(), fleet.stepMs(), firstMs, true), steps);
  }

  /** Where the topic ends, by partition. */
  Map<TopicPartition, Long> ends() {
    return ends(batches());
  }

  /** Where a part of the topic ends, by partition. */
  Map<TopicPartition, Long> ends(long batches) {
    long[] sizes = new long[Broker.PARTITIONS];
    for (long batch = 0; batch < batches; batch++) {
      sizes[partition(Fleet.batchId(batch))]++;
    }
    Map<TopicPartition, Long> ends = new HashMap<>();
    for (int partition = 0; partition < Broker.PARTITIONS; partition++) {
      ends.put(new TopicPartition(topic, partition), sizes[partition]);
    }
    return ends;
  }

  /** As fast as the broker takes them. */
  void send(String bootstrapServers, SendOrder order) {
    Failures failures = new Failures();
    try (KafkaProducer<byte[], byte[]> producer = producer(bootstrapServers, Map.of())) {
      long position = 0;
      for (long batch : order.of(fleet, batches())) {
        // The last on-time batch at this place of the topic tells when a late one was received.
        long onTime = Math.max(batch, Math.min(position, batches() - 1));
        producer.send(record(batch, fleet.timeMs(onTime)), failures);
        position++;
      }
    }
    failures.check();
  }

  /** Steps of the fleet in order, as fast as the broker takes them. */
  void sendSteps(String bootstrapServers, long from, long to) {
    Failures failures = new Failures();
    try (KafkaProducer<byte[], byte[]> producer = producer(bootstrapServers, Map.of())) {
      sendSteps(producer, from, to, failures);
    }
    failures.check();
  }

  /**
   * Steps of the fleet that no job sees before they are committed, all at once; the producer is the
   * caller's to close.
   */
  KafkaProducer<byte[], byte[]> sendUnseen(String bootstrapServers, long from, long to) {
    KafkaProducer<byte[], byte[]> producer =
        producer(
            bootstrapServers,
            Map.of("transactional.id", topic, "transaction.timeout.ms", "3600000"));
    producer.initTransactions();
    producer.beginTransaction();
    Failures failures = new Failures();
    sendSteps(producer, from, to, failures);
    producer.flush();
    failures.check();
    return producer;
  }

  private void sendSteps(
      KafkaProducer<byte[], byte[]> producer, long from, long to, Failures failures) {
    for (long batch = from * fleet.batchesPerStep(); batch < to * fleet.batchesPerStep(); batch++) {
      producer.send(record(batch, fleet.timeMs(batch)), failures);
    }
  }

  /** Each batch at its own time by the wall clock. */
  void sendLive(String bootstrapServers) {
    Failures failures = new Failures();
    try (KafkaProducer<byte[], byte[]> producer = producer(bootstrapServers, Map.of())) {
      for (long batch = 0; batch < batches(); batch++) {
        long time = fleet.timeMs(batch);
        for (long rest = untilMs(time); rest > 0; rest = untilMs(time)) {
          LockSupport.parkNanos(rest * 1_000_000L);
        }
        producer.send(record(batch, time), failures);
      }
    }
    failures.check();
  }

  /** Remembers that a record was not taken: the run would wait for it for ever. */
  private static final class Failures implements Callback {
    private final AtomicReference<Exception> first = new AtomicReference<>();

    @Override
    public void onCompletion(RecordMetadata record, @Nullable Exception failure) {
      if (failure != null) {
        first.compareAndSet(null, failure);
      }
    }

    void check() {
      if (first.get() != null) {
        throw new IllegalStateException("The broker did not take a batch", first.get());
      }
    }
  }

  private static long untilMs(long time) {
    return time - System.currentTimeMillis();
  }

  private ProducerRecord<byte[], byte[]> record(long batch, long receivedAt) {
    byte[] id = Fleet.batchId(batch);
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, partition(id), id, fleet.bytes(batch));
    Fleet.addHeaders(record.headers(), batch, receivedAt);
    return record;
  }

  /** By the batch's id, as producers do it for the gateway: a series is in all partitions. */
  private static int partition(byte[] batchId) {
    return Utils.toPositive(Utils.murmur2(batchId)) % Broker.PARTITIONS;
  }

  private static KafkaProducer<byte[], byte[]> producer(
      String bootstrapServers, Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("bootstrap.servers", bootstrapServers);
    settings.put("compression.type", "lz4");
    settings.put("linger.ms", "20");
    settings.put("batch.size", "524288");
    settings.put("max.request.size", "1000000");
    settings.put("buffer.memory", "67108864");
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }
}
