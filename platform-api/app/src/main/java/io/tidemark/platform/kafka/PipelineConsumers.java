package io.tidemark.platform.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Consumers of what the pipeline writes: committed records only, from the beginning, no group. */
public final class PipelineConsumers {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private PipelineConsumers() {}

  /** A consumer to be assigned and closed by its user. */
  public static Consumer<byte[], byte[]> of(String bootstrapServers, String clientId) {
    return of(bootstrapServers, clientId, Map.of());
  }

  /** A consumer that looks at what a group has committed; it is no member and commits nothing. */
  public static Consumer<byte[], byte[]> ofGroup(
      String bootstrapServers, String clientId, String group) {
    return of(bootstrapServers, clientId, Map.of(ConsumerConfig.GROUP_ID_CONFIG, group));
  }

  private static Consumer<byte[], byte[]> of(
      String bootstrapServers, String clientId, Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    settings.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 4 * 1024 * 1024);
    settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
    settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis() - 1_000);
    return new KafkaConsumer<>(
        BrokerAccess.with(settings), new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
