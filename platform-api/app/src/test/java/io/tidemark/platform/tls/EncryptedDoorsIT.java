package io.tidemark.platform.tls;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.proto.collector.metrics.v1.MetricsServiceGrpc;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingCertificates;
import io.tidemark.platform.testing.TestingKeys;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Every public door speaks TLS with one certificate, and shows the next one without a restart. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EncryptedDoorsIT {

  private static final List<String> DOORS = List.of("api", "otlp-http", "otlp-grpc", "kafka");
  private static final String AUTHORIZATION = TestingKeys.basic(RunningPlatform.EXTRA_KEY);

  private TestingCertificates certificates;
  private X509Certificate shown;
  private RunningPlatform platform;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    certificates = new TestingCertificates(folder);
    shown = certificates.renew();
    platform =
        RunningPlatform.with(
            Map.of(
                "TIDEMARK_TLS_CERTIFICATE", certificates.certificate().toString(),
                "TIDEMARK_TLS_PRIVATE_KEY", certificates.privateKey().toString(),
                "spring.ssl.bundle.watch.file.quiet-period", "100ms"));
  }

  @AfterAll
  void stop() throws IOException {
    platform.close();
  }

  private HttpClient client() throws Exception {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .sslContext(TestingCertificates.trusting(shown))
        .build();
  }

  private URI address(String scheme, String door, String path) {
    return URI.create(scheme + "://127.0.0.1:" + platform.port(door) + path);
  }

  private byte[] batch(double value) {
    return request(counter("orders", point(platform.bean(Clock.class).instant(), value)))
        .toByteArray();
  }

  /** By the name that alert rules and dashboards of infra/observability ask for. */
  @Test
  void howLongTheCertificateIsValidIsShown() {
    assertThat(platform.bean(PrometheusMeterRegistry.class).scrape())
        .containsPattern("(?m)^tidemark_tls_certificate_remaining_seconds [1-9]");
  }

  @Test
  void theApisAnswerOverTls() throws Exception {
    HttpResponse<String> ready =
        client()
            .send(
                HttpRequest.newBuilder(address("https", "api", "/livez")).build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(ready.statusCode()).isEqualTo(200);
    assertThatThrownBy(
            () ->
                HttpClient.newHttpClient()
                    .send(
                        HttpRequest.newBuilder(address("https", "api", "/livez")).build(),
                        HttpResponse.BodyHandlers.discarding()))
        .as("of an authority that nobody trusts")
        .isInstanceOf(SSLHandshakeException.class);
    // A client that speaks in the open is not served.
    assertThat(
            HttpClient.newHttpClient()
                .send(
                    HttpRequest.newBuilder(address("http", "api", "/livez")).build(),
                    HttpResponse.BodyHandlers.discarding())
                .statusCode())
        .isEqualTo(400);
  }

  @Test
  void metricsAreTakenOverHttp() throws Exception {
    HttpResponse<String> taken =
        client()
            .send(
                HttpRequest.newBuilder(address("https", "otlp-http", "/v1/metrics"))
                    .header("Content-Type", "application/x-protobuf")
                    .header("Authorization", AUTHORIZATION)
                    .POST(HttpRequest.BodyPublishers.ofByteArray(batch(1)))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(taken.statusCode()).as(taken.body()).isEqualTo(200);
  }

  @Test
  void metricsAreTakenOverGrpc() throws Exception {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", platform.port("otlp-grpc"))
            .sslContext(
                GrpcSslContexts.forClient()
                    .trustManager(certificates.certificate().toFile())
                    .build())
            .build();
    try {
      Metadata headers = new Metadata();
      headers.put(
          Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), AUTHORIZATION);
      assertThat(
              MetricsServiceGrpc.newBlockingStub(channel)
                  .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                  .withDeadlineAfter(20, TimeUnit.SECONDS)
                  .export(
                      request(counter("orders", point(platform.bean(Clock.class).instant(), 2))))
                  .hasPartialSuccess())
          .isFalse();
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void metricsAreTakenFromKafkaProducers() throws Exception {
    String[] key = TestingKeys.userAndPassword(RunningPlatform.EXTRA_KEY);
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", "127.0.0.1:" + platform.port("kafka"));
    settings.put("security.protocol", "SASL_SSL");
    settings.put("ssl.truststore.type", "PEM");
    settings.put("ssl.truststore.certificates", certificates.authority());
    settings.put("sasl.mechanism", "PLAIN");
    settings.put(
        "sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\";"
            .formatted(key[0], key[1]));
    settings.put("max.block.ms", 20_000);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      assertThat(
              producer
                  .send(new ProducerRecord<>("otlp.metrics.org-extra.env-extra", batch(3)))
                  .get(30, TimeUnit.SECONDS))
          .isNotNull();
    }
  }

  @Test
  void aRenewedCertificateIsShownAtEveryDoorWithoutARestart() throws Exception {
    X509Certificate before = shown;
    shown = certificates.renew();
    assertThat(shown).isNotEqualTo(before);
    SSLContext both = TestingCertificates.trusting(before, shown);
    for (String door : DOORS) {
      Awaitility.await(door)
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(shownAt(door, both)).isEqualTo(shown));
    }
  }

  private X509Certificate shownAt(String door, SSLContext trust) throws IOException {
    try (SSLSocket socket =
        (SSLSocket) trust.getSocketFactory().createSocket("127.0.0.1", platform.port(door))) {
      socket.setSoTimeout(10_000);
      socket.startHandshake();
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }
}
