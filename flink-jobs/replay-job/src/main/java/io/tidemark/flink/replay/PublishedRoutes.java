package io.tidemark.flink.replay;

import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.routes.RouteRecord;
import io.tidemark.flink.model.route.RouteInterval;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Which minutes of a tenant's metrics were split, as the rollup job published it. */
final class PublishedRoutes {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private PublishedRoutes() {}

  /**
   * Everything that is committed by now, in the order in which it was published.
   *
   * @throws IllegalStateException when the topic is not there or cannot be read to its end in time
   */
  static List<RouteInterval> read(ReplayConfig config) {
    List<RouteInterval> routes = new ArrayList<>();
    String client = System.getenv().getOrDefault("TIDEMARK_KAFKA_CLIENT", "");
    Map<String, Object> settings = Brokers.of(config.bootstrapServers(), client).settings();
    settings.put("isolation.level", "read_committed");
    settings.put("enable.auto.commit", "false");
    settings.put("default.api.timeout.ms", "60000");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(config.routesTopic()).stream()
              .map(one -> new TopicPartition(one.topic(), one.partition()))
              .toList();
      if (partitions.isEmpty()) {
        throw new IllegalStateException("There is no topic " + config.routesTopic());
      }
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (partitions.stream()
          .anyMatch(one -> consumer.position(one) < ends.getOrDefault(one, 0L))) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException(
              "The end of " + config.routesTopic() + " was not reached in " + PATIENCE);
        }
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(500))) {
          add(record, config.tenant(), routes);
        }
      }
    }
    return routes;
  }

  private static void add(
      ConsumerRecord<byte[], byte[]> record, String tenant, List<RouteInterval> routes) {
    if (record.value() != null) {
      RouteInterval route = RouteRecord.of(record.value());
      if (route.organizationId().equals(tenant)) {
        routes.add(route);
      }
    }
  }
}
