package io.tidemark.platform.receipts.kafka;

import io.tidemark.platform.kafka.KafkaConsumerLoop;
import io.tidemark.platform.kafka.PipelineConsumers;
import io.tidemark.platform.receipts.BatchCopy;
import io.tidemark.platform.receipts.DeadLetterRef;
import io.tidemark.platform.receipts.ReceiptRecorder;
import io.tidemark.platform.receipts.ReceiptsProperties;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
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
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Reads the points topic and the dead letters, and records what they say of batches. A place is
 * committed after the database has what was before it; records that come twice change nothing. The
 * instances share the partitions.
 */
@Component
@ConditionalOnRole(ProcessRole.CONTROL)
class ReceiptConsumer implements SmartLifecycle {

  private static final Duration POLL = Duration.ofSeconds(1);
  private static final int MAX_AT_ONCE = 2_000;
  private static final int LONGEST_FETCH_MS = 500;

  private final ReceiptsProperties properties;
  private final BiConsumer<List<BatchCopy>, List<DeadLetterRef>> recording;
  private final KafkaConsumerLoop loop;

  @Autowired
  ReceiptConsumer(ReceiptsProperties properties, ReceiptRecorder recording) {
    this(properties, () -> open(properties), recording::record);
  }

  ReceiptConsumer(
      ReceiptsProperties properties,
      Supplier<Consumer<byte[], byte[]>> consumers,
      BiConsumer<List<BatchCopy>, List<DeadLetterRef>> recording) {
    this.properties = properties;
    this.recording = recording;
    this.loop = new KafkaConsumerLoop("receipts", consumers, this::read, () -> {});
  }

  @Override
  public void start() {
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

  private void read(Consumer<byte[], byte[]> consumer) {
    consumer.subscribe(List.of(properties.pointsTopic(), properties.deadLettersTopic()));
    while (!loop.isStopping()) {
      pass(consumer);
      loop.works();
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
    Map<String, Object> settings =
        PipelineConsumers.memberSettings(
            properties.kafka(), "platform-api-receipts", properties.group(), MAX_AT_ONCE);
    // Some batches at a time: one by one, each would cost a transaction and a commit.
    settings.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 2 * 1024 * 1024);
    settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, LONGEST_FETCH_MS);
    return settings;
  }
}
