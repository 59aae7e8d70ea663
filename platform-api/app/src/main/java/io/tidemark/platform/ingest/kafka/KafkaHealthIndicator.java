package io.tidemark.platform.ingest.kafka;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Ready means that the points topic exists and its brokers answer; otherwise batches get 503. */
public final class KafkaHealthIndicator extends AbstractHealthIndicator {

  private final Admin admin;
  private final String topic;
  private final Duration timeout;

  public KafkaHealthIndicator(Admin admin, String topic, Duration timeout) {
    super("Kafka or the topic " + topic + " cannot be reached");
    this.admin = admin;
    this.topic = topic;
    this.timeout = timeout;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) throws Exception {
    int millis = (int) timeout.toMillis();
    admin
        .describeTopics(List.of(topic), new DescribeTopicsOptions().timeoutMs(millis))
        .allTopicNames()
        .get(millis, TimeUnit.MILLISECONDS);
    builder.up().withDetail("topic", topic);
  }
}
