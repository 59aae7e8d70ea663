package io.tidemark.platform.catalog.kafka;

import io.tidemark.platform.catalog.CatalogProperties;
import io.tidemark.platform.catalog.SightingRecorder;
import io.tidemark.platform.catalog.Sightings;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Reads committed rollup rows and records what they show of metrics and resources. A place in the
 * topic is committed after the database has what was seen before it; rows that come twice say
 * nothing new. The instances share the partitions.
 */
@Component
@ConditionalOnRole(ProcessRole.CONTROL)
class CatalogDiscoveryConsumer implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(CatalogDiscoveryConsumer.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final long PAUSE_MS = 2_000;

  private final CatalogProperties properties;
  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final java.util.function.Consumer<Sightings> recording;
  private final RollupRowParser rows = new RollupRowParser();
  private volatile Consumer<byte[], byte[]> consumer;
  private volatile boolean isStopping;
  private Thread thread;

  @Autowired
  CatalogDiscoveryConsumer(CatalogProperties properties, SightingRecorder recording) {
    this(properties, () -> open(properties), recording::record);
  }

  CatalogDiscoveryConsumer(
      CatalogProperties properties,
      Supplier<Consumer<byte[], byte[]>> consumers,
      java.util.function.Consumer<Sightings> recording) {
    this.properties = properties;
    this.consumers = consumers;
    this.recording = recording;
  }

  @Override
  public synchronized void start() {
    isStopping = false;
    thread = new Thread(this::run, "catalog-discovery");
    thread.start();
  }

  private void run() {
    while (!isStopping) {
      try (Consumer<byte[], byte[]> opened = consumers.get()) {
        consumer = opened;
        // What was seen and could not be recorded is read again.
        rows.forget();
        opened.subscribe(properties.topics());
        while (!isStopping) {
          pass(opened);
        }
      } catch (WakeupException stop) {
        LOG.debug("Discovery stops");
      } catch (RuntimeException failure) {
        LOG.warn("Metrics cannot be discovered; tried again: {}", failure.toString());
        pause();
      } finally {
        consumer = null;
      }
    }
  }

  private void pass(Consumer<byte[], byte[]> opened) {
    Sightings seen = new Sightings();
    for (ConsumerRecord<byte[], byte[]> record : opened.poll(POLL)) {
      try {
        rows.read(record.value(), seen);
      } catch (RuntimeException notRows) {
        LOG.debug("Not rollup rows: {} {} {}", record.topic(), record.offset(), notRows.toString());
      }
    }
    if (seen.size() > 0) {
      recording.accept(seen);
      opened.commitSync();
    }
  }

  private static Consumer<byte[], byte[]> open(CatalogProperties properties) {
    return new KafkaConsumer<>(
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            properties.kafka(),
            ConsumerConfig.GROUP_ID_CONFIG,
            properties.group(),
            ConsumerConfig.CLIENT_ID_CONFIG,
            "platform-api-catalog",
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed",
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            "earliest",
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            false,
            ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
            4 * 1024 * 1024,
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            200),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
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
