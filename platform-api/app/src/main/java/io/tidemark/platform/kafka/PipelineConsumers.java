package io.tidemark.platform.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Consumers of what the pipeline writes: committed records only, and nothing is committed by
 * itself.
 */
public final class PipelineConsumers {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /**
   * How long the broker keeps a request while nothing comes. A broker answers one connection's
   * requests one after the other, so whatever else such a consumer asks may wait as long.
   */
  private static final Duration LONGEST_FETCH = Duration.ofSeconds(2);

  private static final int MAX_FETCH_BYTES = 4 * 1024 * 1024;

  private PipelineConsumers() {}

  /**
   * A consumer without group, to be assigned and closed by its user, that also looks offsets up.
   */
  public static Consumer<byte[], byte[]> of(String bootstrapServers, String clientId) {
    return open(impatient(bootstrapServers, clientId));
  }

  /** The same for one that stays at the end of its topics and asks for little else. */
  public static Consumer<byte[], byte[]> following(String bootstrapServers, String clientId) {
    Map<String, Object> settings = impatient(bootstrapServers, clientId);
    settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, (int) LONGEST_FETCH.toMillis());
    return open(settings);
  }

  /**
   * A consumer that looks at what a group has committed; it is no member and commits nothing. The
   * end of a partition lies after the records of open transactions for it.
   */
  public static Consumer<byte[], byte[]> ofGroup(
      String bootstrapServers, String clientId, String group) {
    Map<String, Object> settings = impatient(bootstrapServers, clientId);
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
    return open(settings);
  }

  /**
   * A member of a group, which commits itself what it has kept.
   *
   * @param most records that it is handed at once
   */
  public static Consumer<byte[], byte[]> member(
      String bootstrapServers, String clientId, String group, int most) {
    return open(memberSettings(bootstrapServers, clientId, group, most));
  }

  /** What a member of a group is made with, for one that reads values of its own kind. */
  public static Map<String, Object> memberSettings(
      String bootstrapServers, String clientId, String group, int most) {
    Map<String, Object> settings = settings(bootstrapServers, clientId);
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, most);
    settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, (int) LONGEST_FETCH.toMillis());
    return settings;
  }

  /** Without a broker it says so after seconds, not after a minute. */
  private static Map<String, Object> impatient(String bootstrapServers, String clientId) {
    Map<String, Object> settings = settings(bootstrapServers, clientId);
    settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
    settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis() - 1_000);
    return settings;
  }

  private static Map<String, Object> settings(String bootstrapServers, String clientId) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    settings.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, MAX_FETCH_BYTES);
    return BrokerAccess.with(settings);
  }

  private static Consumer<byte[], byte[]> open(Map<String, Object> settings) {
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
