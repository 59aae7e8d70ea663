package io.tidemark.platform.outbox.kafka;

import io.tidemark.platform.kafka.BrokerAccess;
import io.tidemark.platform.outbox.ControlRecord;
import io.tidemark.platform.outbox.ControlRecordPublisher;
import io.tidemark.platform.outbox.OutboxProperties;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Control records in Kafka: acks=all, and idempotent, so that they keep their order when the client
 * sends again. An attempt ends within 8 s.
 */
@Component
class KafkaControlRecordPublisher implements ControlRecordPublisher, DisposableBean {

  private final String bootstrapServers;
  private @Nullable Producer<byte[], byte[]> producer;

  KafkaControlRecordPublisher(OutboxProperties properties) {
    this.bootstrapServers = properties.kafka();
  }

  @Override
  public synchronized void publish(List<ControlRecord> records) {
    List<Future<?>> confirmations = new ArrayList<>();
    for (ControlRecord record : records) {
      confirmations.add(
          producer()
              .send(
                  new ProducerRecord<>(
                      record.topic(),
                      record.key().getBytes(StandardCharsets.UTF_8),
                      record.value())));
    }
    try {
      for (Future<?> confirmation : confirmations) {
        confirmation.get();
      }
    } catch (ExecutionException failure) {
      throw new IllegalStateException(
          "Kafka did not confirm control records: " + failure.getCause(), failure.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Stopped while Kafka confirmed control records", interrupted);
    }
  }

  /** Made when first needed: an application whose records go elsewhere needs no connection. */
  private Producer<byte[], byte[]> producer() {
    if (producer == null) {
      Map<String, Object> settings = new HashMap<>();
      settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
      settings.put(ProducerConfig.CLIENT_ID_CONFIG, "platform-api-control");
      settings.put(ProducerConfig.ACKS_CONFIG, "all");
      settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
      settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 8L * 1024 * 1024);
      settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 3_000);
      settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 3_000);
      settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 5_000);
      producer =
          new KafkaProducer<>(
              BrokerAccess.with(settings), new ByteArraySerializer(), new ByteArraySerializer());
    }
    return producer;
  }

  @Override
  public synchronized void destroy() {
    if (producer != null) {
      producer.close();
    }
  }
}
