package io.tidemark.pipeline.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.provision.ClientCertificate;
import io.tidemark.stack.EnvironmentFile;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A stack whose engines ask who comes: nobody who says nothing is let in, and who is known gets
 * what is his. Its public doors are encrypted. {@code make test-secure-stack} runs it, and with it
 * one that sends and reads.
 */
@ExtendWith(RunningStack.class)
class GuardedEngines {
  private final RunningStack.Started stack = RunningStack.get();
  private final Path certificates = stack.settings().home().resolve("certificates");
  private final Map<String, String> secrets =
      EnvironmentFile.read(stack.settings().home().resolve("secrets.env"));

  @Test
  void kafkaTakesNobodyWithoutEncryptionOrWithAWrongPassword() throws Exception {
    Properties plain = new Properties();
    assertThatThrownBy(() -> describe(plain))
        .satisfiesAnyOf(
            told -> assertThat(told).isInstanceOf(TimeoutException.class),
            told ->
                assertThat(told)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(org.apache.kafka.common.errors.TimeoutException.class));
    Properties wrong = client("rollup");
    wrong.setProperty(
        "sasl.jaas.config",
        wrong.getProperty("sasl.jaas.config").replaceAll("password=\".", "password=\"-"));
    assertThatThrownBy(() -> describe(wrong)).hasCauseInstanceOf(SaslAuthenticationException.class);
    assertThat(describe(client("rollup"))).isNotEmpty();
  }

  /** Every user at every topic: it gets at what infra/kafka/users.yaml names, and no other. */
  @Test
  void everyUserOfKafkaIsRefusedAtTopicsThatAreNotItsOwn() throws Exception {
    Set<String> topics = new HashSet<>();
    yaml("topics.yaml").path("topics").forEach(topic -> topics.add(topic.path("name").asText()));
    for (JsonNode user : yaml("users.yaml").path("users")) {
      String name = user.path("name").asText();
      Set<String> reads = names(user.path("reads"));
      Set<String> writes = names(user.path("writes"));
      try (KafkaConsumer<byte[], byte[]> consumer =
              new KafkaConsumer<>(
                  client(name), new ByteArrayDeserializer(), new ByteArrayDeserializer());
          KafkaProducer<byte[], byte[]> producer =
              new KafkaProducer<>(
                  plainProducer(name), new ByteArraySerializer(), new ByteArraySerializer())) {
        for (String topic : topics) {
          TopicPartition partition = new TopicPartition(topic, 0);
          consumer.assign(List.of(partition));
          consumer.seek(partition, 0);
          if (reads.contains(topic)) {
            consumer.endOffsets(Set.of(partition));
            consumer.poll(Duration.ZERO);
          } else {
            assertThatThrownBy(
                    () -> {
                      for (int i = 0; i < 50; i++) {
                        consumer.poll(Duration.ofMillis(200));
                      }
                    })
                .as(name + " reads " + topic)
                .isInstanceOf(TopicAuthorizationException.class);
          }
          if (!writes.contains(topic)) {
            assertThatThrownBy(
                    () ->
                        producer
                            .send(new ProducerRecord<>(topic, new byte[0], new byte[0]))
                            .get(20, TimeUnit.SECONDS))
                .as(name + " writes " + topic)
                .hasCauseInstanceOf(TopicAuthorizationException.class);
          }
        }
      }
    }
  }

  @Test
  void groupsAndTransactionsAreTheirOwnersToo() throws Exception {
    Properties druid = client("druid");
    druid.setProperty("group.id", "tidemark-lake");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(druid, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      TopicPartition rows = new TopicPartition("telemetry.rollup-1m.v1", 0);
      assertThatThrownBy(() -> consumer.committed(Set.of(rows)))
          .isInstanceOf(GroupAuthorizationException.class);
    }
    Properties usage = client("usage");
    usage.setProperty("transactional.id", "tidemark-rollup-rows-0-1");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(usage, new ByteArraySerializer(), new ByteArraySerializer())) {
      assertThatThrownBy(producer::initTransactions)
          .isInstanceOf(TransactionalIdAuthorizationException.class);
    }
  }

  @Test
  void postgresTakesNobodyWithoutEncryptionAndTheLakeHasItsCatalogOnly() throws Exception {
    assertThatThrownBy(() -> connect("iceberg", "?sslmode=disable"))
        .hasMessageContaining("no encryption");
    String encrypted =
        "?sslmode=verify-full&sslrootcert=" + certificates.resolve("postgres-authority.pem");
    assertThatThrownBy(() -> connect("tidemark", encrypted))
        .hasMessageContaining("permission denied for database");
    try (Connection lake = connect("iceberg", encrypted);
        Statement statement = lake.createStatement();
        ResultSet mine =
            statement.executeQuery("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")) {
      mine.next();
      assertThat(mine.getBoolean(1)).isTrue();
    }
    // A server that is not the stack's own is nobody to a client of the stack.
    assertThatThrownBy(
            () ->
                connect(
                    "iceberg",
                    "?sslmode=verify-full&sslrootcert="
                        + certificates.resolve("kafka-authority.pem")))
        .isInstanceOf(SQLException.class);
  }

  @Test
  void druidAndFlinkTakeNobodyWithoutACertificateThatTheyKnow() throws Exception {
    SSLContext nobody = trusting("lifecycle-trusted.pem");
    for (String address :
        List.of(
            stack.coordinates().get("TIDEMARK_DRUID") + "/status",
            stack.coordinates().get("TIDEMARK_DRUID_COORDINATOR") + "/druid/indexer/v1/supervisor",
            stack.coordinates().get("TIDEMARK_FLINK") + "/overview",
            stack.coordinates().get("TIDEMARK_FLINK") + "/jars")) {
      assertThat(address).startsWith("https://");
      JsonHttp known = new JsonHttp(stack.stack().access().encryption());
      assertThat(known.get(address).status()).as(address).isEqualTo(200);
      assertIsRefused(HttpClient.newHttpClient(), address.replace("https://", "http://"));
      assertIsRefused(HttpClient.newBuilder().sslContext(nobody).build(), address);
    }
    // Of all that this stack made, Flink knows the lifecycle only.
    SSLContext druid =
        new ClientCertificate(
                certificates.resolve("druid.pem"),
                certificates.resolve("druid.key"),
                certificates.resolve("lifecycle-trusted.pem"))
            .context();
    assertIsRefused(
        HttpClient.newBuilder().sslContext(druid).build(),
        stack.coordinates().get("TIDEMARK_FLINK") + "/overview");
  }

  /** Clients show a key and no certificate, and take the stack's doors by their authority. */
  @Test
  void publicDoorsTakeNobodyWithoutEncryption() throws Exception {
    HttpClient visitor =
        HttpClient.newBuilder().sslContext(trusting("doors-authority.pem")).build();
    HttpClient stranger =
        HttpClient.newBuilder().sslContext(trusting("kafka-authority.pem")).build();
    for (String address :
        List.of(
            stack.coordinates().get("TIDEMARK_URL") + "/readyz",
            stack.coordinates().get("TIDEMARK_OTLP_HTTP") + "/v1/metrics")) {
      assertThat(address).startsWith("https://");
      HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
      // The second takes no GET.
      assertThat(visitor.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
          .as(address)
          .isLessThan(500);
      assertThatThrownBy(() -> stranger.send(request, HttpResponse.BodyHandlers.discarding()))
          .as(address)
          .isInstanceOf(SSLException.class);
      assertIsRefused(HttpClient.newHttpClient(), address.replace("https://", "http://"));
    }
    send("SASL_SSL");
    assertThatThrownBy(() -> send("SASL_PLAINTEXT"))
        .hasCauseInstanceOf(org.apache.kafka.common.errors.TimeoutException.class);
  }

  /** One point, at the Kafka listener of platform-api. */
  private void send(String protocol) throws Exception {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", stack.coordinates().get("TIDEMARK_KAFKA_DOOR"));
    settings.put("security.protocol", protocol);
    settings.put("sasl.mechanism", "PLAIN");
    settings.put(
        "sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\";"
            .formatted(
                stack.coordinates().get("TIDEMARK_API_KEY"),
                stack.coordinates().get("TIDEMARK_API_SECRET")));
    settings.put("ssl.truststore.type", "PEM");
    settings.put("ssl.truststore.location", certificates.resolve("doors-authority.pem").toString());
    settings.put("max.block.ms", "10000");
    byte[] batch =
        OtlpSender.batch(
                "guarded",
                List.of(new OtlpSender.Point("guarded.requests", Map.of(), Instant.now(), 1)))
            .toByteArray();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer
          .send(new ProducerRecord<>("otlp.metrics.org-demo.env-demo", batch))
          .get(30, TimeUnit.SECONDS);
    }
  }

  /** Broken off, told 4xx, or by Flink to ask encrypted: in no case an answer. */
  private static void assertIsRefused(HttpClient client, String address) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofSeconds(10)).build();
    Optional<Integer> status;
    try {
      status = Optional.of(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
    } catch (IOException broken) {
      status = Optional.empty();
    }
    assertThat(status.filter(code -> code < 300)).as(address).isEmpty();
  }

  private SSLContext trusting(String file) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (var in = Files.newInputStream(certificates.resolve(file))) {
      for (var each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        trusted.setCertificateEntry(Integer.toString(trusted.size()), each);
      }
    }
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  private List<Object> describe(Properties settings) throws Exception {
    Properties own = new Properties();
    own.putAll(settings);
    own.put("bootstrap.servers", stack.coordinates().get("TIDEMARK_KAFKA"));
    own.put("request.timeout.ms", "4000");
    own.put("default.api.timeout.ms", "5000");
    try (Admin admin = Admin.create(own)) {
      return new ArrayList<>(admin.describeCluster().nodes().get(10, TimeUnit.SECONDS));
    }
  }

  private Properties client(String user) throws Exception {
    Properties settings = new Properties();
    try (Reader text =
        Files.newBufferedReader(certificates.resolve("kafka-clients/" + user + ".properties"))) {
      settings.load(text);
    }
    settings.put("bootstrap.servers", stack.coordinates().get("TIDEMARK_KAFKA"));
    settings.put("max.block.ms", "20000");
    settings.put("auto.offset.reset", "earliest");
    settings.put("enable.auto.commit", "false");
    return settings;
  }

  /**
   * One that needs no right but that at its topic: an idempotent one of a mere reader is refused
   * whole.
   */
  private Properties plainProducer(String user) throws Exception {
    Properties settings = client(user);
    settings.put("enable.idempotence", "false");
    return settings;
  }

  private JsonNode yaml(String file) throws Exception {
    return new YAMLMapper().readTree(stack.settings().infra("kafka/" + file).toFile());
  }

  private static Set<String> names(JsonNode list) {
    Set<String> names = new HashSet<>();
    list.forEach(name -> names.add(name.asText()));
    return names;
  }

  private Connection connect(String database, String options) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://"
            + stack.settings().ports().address("postgres")
            + "/"
            + database
            + options,
        "tidemark_lake",
        secrets.get("TIDEMARK_CATALOG_PASSWORD"));
  }
}
