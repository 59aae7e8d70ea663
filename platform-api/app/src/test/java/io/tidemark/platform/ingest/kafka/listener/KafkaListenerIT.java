package io.tidemark.platform.ingest.kafka.listener;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.gauge;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.ingest.application.BatchPublisher.Batch;
import io.tidemark.platform.ingest.domain.BatchId;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The door as Kafka's own producer sees it. */
@ExtendWith(RunningPlatform.Extension.class)
class KafkaListenerIT {

  private static final String TOPIC = "otlp.metrics.org-extra.env-extra";
  private static final int LIMIT = 1024 * 1024;

  private final RunningPlatform platform;
  private final Instant now;

  KafkaListenerIT(RunningPlatform platform) {
    this.platform = platform;
    this.now = platform.bean(Clock.class).instant();
  }

  @AfterEach
  void nothingIsHeldWhenEveryRecordIsAnswered() {
    platform.topic().reset();
    // A producer may have its answer just before the gateway lets go of the bytes.
    InFlightByteLimiter bytes = platform.bean(InFlightByteLimiter.class);
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(bytes.held()).isZero());
  }

  private KafkaProducer<byte[], byte[]> producer(String key, String... settings) {
    // tdm_<environment>_<id>_<secret>
    String[] parts = key.split("_", -1);
    Map<String, Object> all = new HashMap<>();
    all.put(
        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
        "127.0.0.1:" + platform.bean(KafkaListenerServer.class).port());
    all.put("security.protocol", "SASL_PLAINTEXT");
    all.put("sasl.mechanism", "PLAIN");
    all.put(
        "sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\";"
            .formatted(parts[2], parts[3]));
    all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
    all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
    all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 20_000);
    all.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    all.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 64 * LIMIT);
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static RecordMetadata send(KafkaProducer<byte[], byte[]> producer, byte[] value)
      throws Exception {
    return send(producer, new ProducerRecord<>(TOPIC, value));
  }

  private static RecordMetadata send(
      KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record)
      throws Exception {
    try {
      return producer.send(record).get(30, TimeUnit.SECONDS);
    } catch (ExecutionException failure) {
      throw (Exception) failure.getCause();
    }
  }

  private byte[] batch(double value) {
    return request(counter("orders", point(now, value))).toByteArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "gzip", "lz4", "snappy", "zstd"})
  void recordsAreTheSameBatchesAsOverEveryOtherDoor(String compression) throws Exception {
    try (var producer =
        producer(
            RunningPlatform.EXTRA_KEY,
            "compression.type",
            compression,
            ProducerConfig.LINGER_MS_CONFIG,
            "20")) {
      List<Future<RecordMetadata>> sent = new java.util.ArrayList<>();
      for (int i = 0; i < 50; i++) {
        sent.add(producer.send(new ProducerRecord<>(TOPIC, batch(i))));
      }
      for (Future<RecordMetadata> one : sent) {
        one.get(30, TimeUnit.SECONDS);
      }
    }
    assertThat(platform.topic().batches())
        .hasSize(50)
        .allSatisfy(
            stored -> {
              assertThat(stored.organization()).isEqualTo(new TenantId("org-extra"));
              assertThat(stored.environment().value()).isEqualTo("env-extra");
              assertThat(stored.id())
                  .isEqualTo(
                      BatchId.of(
                          new TenantId("org-extra"),
                          new EnvironmentId("env-extra"),
                          stored.record()));
            });
    assertThat(platform.topic().batches().stream().map(Batch::id).distinct()).hasSize(50);
  }

  @Test
  void aRecordIsConfirmedWhenItIsStoredAndSentAgainUntilThen() throws Exception {
    platform.topic().failWith(new IllegalStateException("timed out"));
    try (var producer = producer(RunningPlatform.EXTRA_KEY, "retry.backoff.ms", "10")) {
      Future<RecordMetadata> sent = producer.send(new ProducerRecord<>(TOPIC, batch(1)));
      io.tidemark.platform.testing.InterruptibleDelay.until(
          "a second attempt",
          Duration.ofSeconds(20),
          () -> java.util.Optional.of(platform.topic().batches().size()),
          attempts -> attempts >= 2);
      assertThat(sent).isNotDone();
      platform.topic().answerWith(java.util.concurrent.CompletableFuture.completedFuture(null));
      sent.get(20, TimeUnit.SECONDS);
    }
    assertThat(platform.topic().batches().stream().map(Batch::id).distinct()).hasSize(1);
  }

  @Test
  void anIdempotencyKeyTravelsInAHeader() throws Exception {
    try (var producer = producer(RunningPlatform.EXTRA_KEY)) {
      ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(TOPIC, batch(1));
      record.headers().add("idempotency-key", "kafka-1".getBytes(StandardCharsets.UTF_8));
      send(producer, record);
      assertThat(platform.topic().batches().get(0).key().value()).isEqualTo("kafka-1");
      ProducerRecord<byte[], byte[]> other = new ProducerRecord<>(TOPIC, batch(2));
      other.headers().add("Idempotency-Key", "kafka-1".getBytes(StandardCharsets.UTF_8));
      assertThatThrownBy(() -> send(producer, other)).isInstanceOf(InvalidRecordException.class);
    }
  }

  @Test
  void withoutGoodCredentialsNobodyGetsIn() {
    String wrong = TestingKeys.key("env-extra", 'X');
    try (var producer = producer(wrong)) {
      assertThatThrownBy(() -> send(producer, batch(1)))
          .isInstanceOf(SaslAuthenticationException.class)
          .hasMessageContaining("not valid");
    }
  }

  @Test
  void anyOtherTopicIsRefusedWhetherItIsSomebodysOrNobodys() {
    try (var producer = producer(RunningPlatform.EXTRA_KEY)) {
      for (String topic :
          List.of("otlp.metrics.org-demo.env-demo", "otlp.metrics.org-extra.other", "x")) {
        assertThatThrownBy(() -> send(producer, new ProducerRecord<>(topic, batch(1))))
            .isInstanceOf(TopicAuthorizationException.class);
      }
    }
    assertThat(platform.topic().batches()).isEmpty();
  }

  @Test
  void aKeyThatIsRevokedIsRefusedOnAnOpenConnection() throws Exception {
    ControlApi demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
    String account =
        demo.post("/service-accounts", "{\"display_name\":\"Kafka\",\"role\":\"developer\"}")
            .body()
            .path("id")
            .asString();
    String keys = "/service-accounts/" + account + "/api-keys";
    var made =
        demo.post(keys, "{\"environment_id\":\"env-demo\",\"scopes\":[\"metrics:write\"]}").body();
    String topic = "otlp.metrics.org-demo.env-demo";
    try (var producer = producer(made.path("secret").asString())) {
      send(producer, new ProducerRecord<>(topic, batch(1)));
      assertThat(platform.topic().batches()).hasSize(1);
      demo.call("DELETE", keys + "/" + made.path("api_key").path("id").asString(), null);
      assertThatThrownBy(() -> send(producer, new ProducerRecord<>(topic, batch(2))))
          .isInstanceOf(TopicAuthorizationException.class);
    }
    assertThat(platform.topic().batches()).hasSize(1);
  }

  @Test
  void aKeyThatMayNotSendIsRefused() {
    ControlApi demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
    String account =
        demo.post("/service-accounts", "{\"display_name\":\"Kafka\",\"role\":\"metrics_viewer\"}")
            .body()
            .path("id")
            .asString();
    String key =
        demo.post(
                "/service-accounts/" + account + "/api-keys",
                "{\"environment_id\":\"env-demo\",\"scopes\":[\"metrics:read\"]}")
            .body()
            .path("secret")
            .asString();
    try (var producer = producer(key)) {
      assertThatThrownBy(() -> send(producer, batch(1)))
          .isInstanceOf(SaslAuthenticationException.class)
          .hasMessageContaining("metrics:write");
    }
  }

  @Test
  void whatIsNoOtlpIsRefusedAndBadPointsAreLeftOut() throws Exception {
    try (var producer = producer(RunningPlatform.EXTRA_KEY)) {
      assertThatThrownBy(() -> send(producer, "garbage".getBytes(StandardCharsets.UTF_8)))
          .isInstanceOf(InvalidRecordException.class);
      assertThatThrownBy(() -> send(producer, new ProducerRecord<>(TOPIC, null)))
          .isInstanceOf(InvalidRecordException.class);
      send(producer, request(gauge("load", point(now, 1), point(now, Double.NaN))).toByteArray());
      assertThat(platform.topic().batches())
          .singleElement()
          .satisfies(stored -> assertThat(stored.rejections().total()).isEqualTo(1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "gzip", "lz4", "snappy", "zstd"})
  void aRecordOverTheLimitIsRefusedHoweverSmallItCame(String compression) {
    try (var producer = producer(RunningPlatform.EXTRA_KEY, "compression.type", compression)) {
      if (!compression.equals("none")) {
        assertThatThrownBy(() -> send(producer, new byte[20 * LIMIT]))
            .isInstanceOf(RecordTooLargeException.class);
      }
      assertThatThrownBy(() -> send(producer, new byte[LIMIT + 1_000]))
          .isInstanceOf(RecordTooLargeException.class);
    }
    assertThat(platform.topic().batches()).isEmpty();
  }

  /** A reset connection would make it send the same for ever. */
  @Test
  void aRequestOverTheLimitIsRefusedByName() throws Exception {
    try (var producer = producer(RunningPlatform.EXTRA_KEY, "compression.type", "none")) {
      assertThatThrownBy(() -> send(producer, new byte[20 * LIMIT]))
          .isInstanceOf(RecordTooLargeException.class);
      send(producer, batch(1));
    }
    assertThat(platform.topic().batches()).hasSize(1);
  }

  /** Whatever strangers send: the connection ends, and the door stays open. */
  @Test
  void bytesThatAreNotOfTheProtocolEndTheirOwnConnectionOnly() throws Exception {
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      try (Socket socket =
          new Socket(
              InetAddress.getLoopbackAddress(), platform.bean(KafkaListenerServer.class).port())) {
        byte[] noise = new byte[random.nextInt(200)];
        random.nextBytes(noise);
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(frame);
        out.writeInt(i % 3 == 0 ? random.nextInt() : noise.length);
        if (i % 2 == 0) {
          out.writeShort(random.nextInt(40));
          out.writeShort(random.nextInt(10));
        }
        out.write(noise);
        socket.getOutputStream().write(frame.toByteArray());
        socket.shutdownOutput();
        drain(socket);
      }
    }
    try (var producer = producer(RunningPlatform.EXTRA_KEY)) {
      send(producer, batch(1));
    }
    assertThat(platform.topic().batches()).hasSize(1);
  }

  private static void drain(Socket socket) {
    try {
      socket.setSoTimeout(20_000);
      socket.getInputStream().readAllBytes();
    } catch (IOException reset) {
      assertThat(reset).isNotInstanceOf(java.net.SocketTimeoutException.class);
    }
  }
}
