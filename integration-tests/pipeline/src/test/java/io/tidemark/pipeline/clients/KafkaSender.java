package io.tidemark.pipeline.clients;

import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.OtlpSender.Point;
import io.tidemark.pipeline.support.Sender;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackIdentity.Credentials;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Kafka's own producer, which keeps its connection. */
public final class KafkaSender implements Sender {
  private static final String METRIC = "first_day.kafka";

  private final KafkaProducer<byte[], byte[]> producer;
  private final String topic;
  private Total sent = new Total(0, 0);
  private long next = 1;

  public KafkaSender(String address, String organization, String environment, String key) {
    Credentials credentials = StackIdentity.credentials(key);
    this.topic = "otlp.metrics." + organization + "." + environment;
    this.producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                address,
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\";"
                    .formatted(credentials.id(), credentials.secret())),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  @Override
  public Map<String, Boolean> send() throws Exception {
    Instant now = Instant.now();
    List<Point> points =
        List.of(
            new Point(METRIC, Map.of("hand", "left"), now, next),
            new Point(METRIC, Map.of("hand", "right"), now, next + 1));
    try {
      producer
          .send(new ProducerRecord<>(topic, OtlpSender.batch("kafka", points).toByteArray()))
          .get(30, TimeUnit.SECONDS);
      sent = sent.and(2.0 * next + 1, 2);
      next += 2;
      return Map.of("kafka", true);
    } catch (ExecutionException refused) {
      if (refused.getCause() instanceof AuthenticationException
          || refused.getCause() instanceof AuthorizationException) {
        return Map.of("kafka", false);
      }
      throw refused;
    } catch (TimeoutException pending) {
      // The producer keeps a record for two minutes while it may not sign in again.
      return Map.of("kafka", false);
    }
  }

  @Override
  public Map<String, Total> sent() {
    return Map.of(METRIC, sent);
  }

  @Override
  public void close() {
    producer.close();
  }
}
