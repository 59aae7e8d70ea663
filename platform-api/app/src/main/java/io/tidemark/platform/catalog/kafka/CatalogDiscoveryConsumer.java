package io.tidemark.platform.catalog.kafka;

import io.tidemark.platform.catalog.CatalogProperties;
import io.tidemark.platform.catalog.SightingRecorder;
import io.tidemark.platform.catalog.Sightings;
import io.tidemark.platform.kafka.KafkaConsumerLoop;
import io.tidemark.platform.kafka.PipelineConsumers;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ProcessRole;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
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
  private static final int MAX_AT_ONCE = 200;

  private final CatalogProperties properties;
  private final java.util.function.Consumer<Sightings> recording;
  private final RollupRowParser rows = new RollupRowParser();
  private final KafkaConsumerLoop loop;

  @Autowired
  CatalogDiscoveryConsumer(CatalogProperties properties, SightingRecorder recording) {
    this(properties, () -> open(properties), recording::record);
  }

  CatalogDiscoveryConsumer(
      CatalogProperties properties,
      Supplier<Consumer<byte[], byte[]>> consumers,
      java.util.function.Consumer<Sightings> recording) {
    this.properties = properties;
    this.recording = recording;
    // What was seen and could not be recorded is read again.
    this.loop = new KafkaConsumerLoop("catalog-discovery", consumers, this::read, rows::forget);
  }

  @Override
  public void start() {
    loop.start();
  }

  private void read(Consumer<byte[], byte[]> opened) {
    opened.subscribe(properties.topics());
    while (!loop.isStopping()) {
      pass(opened);
      loop.works();
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
    return PipelineConsumers.member(
        properties.kafka(), "platform-api-catalog", properties.group(), MAX_AT_ONCE);
  }

  @Override
  public void stop() {
    loop.stop();
  }

  @Override
  public boolean isRunning() {
    return loop.isRunning();
  }
}
