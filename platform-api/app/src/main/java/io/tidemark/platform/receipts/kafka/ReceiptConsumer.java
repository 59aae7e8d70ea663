package io.tidemark.platform.receipts.kafka;

import io.tidemark.platform.receipts.BatchCopy;
import io.tidemark.platform.receipts.DeadLetterRef;
import io.tidemark.platform.receipts.ReceiptRecorder;
import io.tidemark.platform.receipts.ReceiptsProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Reads the points topic and the dead letters, and records what they say of batches. A place is
 * committed after the database has what was before it; records that come twice change nothing. The
 * instances share the partitions.
 */
@Component
class ReceiptConsumer implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(ReceiptConsumer.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final long PAUSE_MS = 2_000;

  private final ReceiptsProperties properties;
  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final BiConsumer<List<BatchCopy>, List<DeadLetterRef>> recording;
  private volatile Consumer<byte[], byte[]> consumer;
  private volatile boolean isStopping;
  private Thread thread;

  @Autowired
  ReceiptConsumer(ReceiptsProperties properties, ReceiptRecorder recording) {
    this(properties, () -> open(properties), recording::record);
  }

  ReceiptConsumer(
      ReceiptsProperties properties,
      Supplier<Consumer<byte[], byte[]>> consumers,
      BiConsumer<List<BatchCopy>, List<DeadLetterRef>> recording) {
    this.properties = properties;
    this.consumers = consumers;
    this.recording = recording;
  }

  @Override
  public synchronized void start() {
    isStopping = false;
    thread = new Thread(this::run, "receipts");
    thread.start();
  }

  private void run() {
    while (!isStopping) {
      try (Consumer<byte[], byte[]> opened = consumers.get()) {
        consumer = opened;
        opened.subscribe(List.of(properties.pointsTopic(), properties.deadLettersTopic()));
        while (!isStopping) {
          pass(opened);
        }
      } catch (WakeupException stop) {
        LOG.debug("Receipts stop");
      } catch (RuntimeException failure) {
        LOG.warn("Receipts cannot be written; tried again: {}", failure.toString());
        pause();
      } finally {
        consumer = null;
      }
    }
  }

  private void pass(Consumer<byte[], byte[]> opened) {
    ConsumerRecords<byte[], byte[]> records = opened.poll(POLL);
    if (records.isEmpty()) {
      return;
    }
    List<BatchCopy> copies = new ArrayList<>();
    List<DeadLetterRef> letters = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      if (record.topic().equals(properties.pointsTopic())) {
        ReceiptRecords.copy(record).ifPresent(copies::add);
      } else {
        ReceiptRecords.letter(record).ifPresent(letters::add);
      }
    }
    recording.accept(copies, letters);
    opened.commitSync();
  }

  private static Consumer<byte[], byte[]> open(ReceiptsProperties properties) {
    return new KafkaConsumer<>(
        settings(properties),
        new ByteArrayDeserializer(),
        new DeadLetterValueDeserializer(properties.deadLettersTopic()));
  }

  private static Map<String, Object> settings(ReceiptsProperties properties) {
    return Map.ofEntries(
        Map.entry(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, properties.kafka()),
        Map.entry(ConsumerConfig.GROUP_ID_CONFIG, properties.group()),
        Map.entry(ConsumerConfig.CLIENT_ID_CONFIG, "platform-api-receipts"),
        Map.entry(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed"),
        Map.entry(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"),
        Map.entry(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false),
        // Some batches at a time: one by one, each would cost a transaction and a commit.
        Map.entry(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1024 * 1024),
        Map.entry(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 250),
        Map.entry(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 4 * 1024 * 1024),
        Map.entry(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2_000));
  }

  private void pause() {
    try {
      Thread.sleep(PAUSE_MS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized void stop() {
    isStopping = true;
    Consumer<byte[], byte[]> open = consumer;
    if (open != null) {
      // Not an interrupt: the consumer is to leave its group in peace.
      open.wakeup();
    }
    try {
      thread.join(Duration.ofSeconds(10).toMillis());
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    thread = null;
  }

  @Override
  public synchronized boolean isRunning() {
    return thread != null;
  }
}
