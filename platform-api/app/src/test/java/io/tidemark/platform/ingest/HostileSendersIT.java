package io.tidemark.platform.ingest;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.label;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.MetricsServiceGrpc;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.ingest.grpc.OtlpGrpcServer;
import io.tidemark.platform.ingest.kafka.listener.KafkaListenerServer;
import io.tidemark.platform.ingest.kafka.listener.TestingKafkaConnection;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.Attack;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.QuietSender;
import io.tidemark.platform.testing.RepeatedAttack;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingBrowser;
import io.tidemark.platform.testing.TestingKeys;
import io.tidemark.platform.testing.TestingPeople;
import io.tidemark.platform.testing.TricklingClients;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Attacks on the ingest ports, each beside a quiet tenant: nothing of the quiet tenant is refused
 * or lost, its p99 stays within half of what it was, and memory stays bounded. Some seconds each;
 * {@code make test-abuse} takes longer and measures more strictly.
 */
@ExtendWith(RunningPlatform.Extension.class)
class HostileSendersIT {

  private static final Duration ATTACK = Duration.ofSeconds(Long.getLong("abuse.seconds", 3));
  private static final boolean STRICT = Long.getLong("abuse.seconds", 3) >= 10;

  /** On a machine that does other work, single answers wait for a core. */
  private static final Duration NOISE = Duration.ofMillis(STRICT ? 10 : 250);

  private static final String BASIC = TestingKeys.basic(RunningPlatform.EXTRA_KEY);
  private static final int PRODUCE = 0;
  private static final int METADATA = 3;
  private static final int API_VERSIONS = 18;
  private static final int MEBIBYTE = 1024 * 1024;
  private static final long MAX_REST = 64L * MEBIBYTE;

  private final RunningPlatform platform;
  private final QuietSender quiet;

  HostileSendersIT(RunningPlatform platform) {
    this.platform = platform;
    Instant now = platform.bean(Clock.class).instant();
    this.quiet =
        new QuietSender(
            platform.otlp("/v1/metrics"), TestingKeys.bearer(RunningPlatform.DEMO_KEY), now);
  }

  @BeforeEach
  void warmUp() {
    platform.topic().reset();
  }

  @AfterEach
  void everythingIsGivenBack() {
    platform.topic().reset();
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(platform.bean(InFlightByteLimiter.class).held()).isZero());
  }

  private static String post(String path, String headers) {
    return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
  }

  @Test
  void bodiesThatTrickleHoldNoMemoryOfOthers() throws Exception {
    besideQuietTenant(
        new TricklingClients(
            platform.otlp("/").getPort(),
            16,
            post(
                "/v1/metrics",
                "Content-Type: application/x-protobuf\r\nAuthorization: "
                    + BASIC
                    + "\r\nContent-Length: "
                    + MEBIBYTE
                    + "\r\n")));
  }

  @Test
  void bodiesOfStrangersHoldNoThreads() throws Exception {
    besideQuietTenant(
        new TricklingClients(
            platform.otlp("/").getPort(),
            150,
            post(
                "/v1/metrics",
                "Content-Type: application/x-protobuf\r\nContent-Length: " + MEBIBYTE + "\r\n")));
  }

  @Test
  void formsOfStrangersHoldNoThreadsOfTheApi() throws Exception {
    TricklingClients clients =
        new TricklingClients(
            platform.api("/").getPort(),
            60,
            post(
                "/identity/sign-in",
                "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100000\r\n"));
    RepeatedAttack looks =
        new RepeatedAttack(
            1,
            Duration.ofMillis(100),
            number -> assertThat(Http.get(platform.api("/livez")).statusCode()).isEqualTo(200));
    besideQuietTenant(List.of(clients, looks));
    assertThat(looks.failures()).as("looks at the API that were not answered").isZero();
  }

  @Test
  void connectionsOfStrangersLeaveTheKafkaListenerOpen() throws Exception {
    int port = platform.bean(KafkaListenerServer.class).port();
    TricklingClients clients = new TricklingClients(port, 300, "");
    byte[] question = TestingKafkaConnection.frame(API_VERSIONS, 0, false, body -> {});
    RepeatedAttack producer =
        new RepeatedAttack(
            1,
            Duration.ofMillis(100),
            number -> {
              try (TestingKafkaConnection connection = new TestingKafkaConnection(port)) {
                connection.logIn(RunningPlatform.DEMO_KEY);
                connection.send(question);
                assertThat(connection.receive()).isNotNull();
              }
            });
    besideQuietTenant(List.of(clients, producer));
    assertThat(clients.ended()).as("strangers that were sent away").isGreaterThan(100);
    assertThat(producer.steps() - producer.failures()).as("producers let in").isGreaterThan(2);
  }

  @Test
  void preludesOfStrangersLeaveGrpcOpen() throws Exception {
    besideQuietTenant(
        new TricklingClients(platform.bean(OtlpGrpcServer.class).port(), 100, "PRI * HTTP/2.0"));
  }

  /** What more keys do behind Kafka is bounded by budgets of label keys. */
  @Test
  void floodsOfLabelKeysDelayNobody() throws Exception {
    Instant now = platform.bean(Clock.class).instant();
    besideQuietTenant(
        new RepeatedAttack(
            2,
            Duration.ofMillis(20),
            number -> {
              NumberDataPoint.Builder point = point(now, 1).toBuilder();
              for (int key = 0; key < 60; key++) {
                point.addAttributes(label("flood" + number + "." + key, "x"));
              }
              NumberDataPoint[] points = new NumberDataPoint[20];
              Arrays.fill(points, point.build());
              Http.post(
                  platform.otlp("/v1/metrics"),
                  request(counter("flood" + number, points)).toByteArray(),
                  "Content-Type",
                  "application/x-protobuf",
                  "Authorization",
                  BASIC);
            }));
  }

  /** Some kilobytes each, six mebibytes when they are unpacked. */
  @Test
  void compressedBombsOverGrpcHoldNoMemory() throws Exception {
    Metric[] metrics = new Metric[100];
    Arrays.fill(
        metrics, counter("x".repeat(64 * 1024), point(platform.bean(Clock.class).instant(), 1)));
    ExportMetricsServiceRequest bomb = request(metrics);
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), BASIC);
    ManagedChannel channel = platform.grpc();
    try {
      var sender =
          MetricsServiceGrpc.newBlockingStub(channel)
              .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
              .withCompression("gzip");
      besideQuietTenant(
          new RepeatedAttack(
              4, Duration.ofMillis(250), number -> sender.export(bomb).hasPartialSuccess()));
    } finally {
      channel.shutdownNow();
    }
  }

  /** Each is begun and given up at once, all on one connection. */
  @Test
  void callsThatAreGivenUpLeaveGrpcOpen() throws Exception {
    ExportMetricsServiceRequest small =
        request(counter("given.up", point(platform.bean(Clock.class).instant(), 1)));
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), BASIC);
    ManagedChannel channel = platform.grpc();
    try {
      var sender =
          MetricsServiceGrpc.newFutureStub(channel)
              .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
      besideQuietTenant(
          new RepeatedAttack(
              2,
              Duration.ofMillis(20),
              number -> {
                for (int call = 0; call < 50; call++) {
                  sender.export(small).cancel(true);
                }
              }));
    } finally {
      channel.shutdownNow();
    }
  }

  /** Twelve kilobytes that once kept a core busy for a minute. */
  @Test
  void hostileFramesOfASenderDelayNobody() throws Exception {
    framesBesideQuietTenant(
        TestingKafkaConnection.frame(
            PRODUCE,
            9,
            true,
            body -> {
              body.writeByte(0); // no transactional id
              body.writeShort(1);
              body.writeInt(1_000);
              TestingKafkaConnection.unsignedVarint(body, 4_001);
              for (int topic = 0; topic < 4_000; topic++) {
                body.writeByte(1); // an empty name
                body.writeByte(1); // no partitions
                body.writeByte(0);
              }
              body.writeByte(0);
            }));
  }

  @Test
  void questionsAboutManyTopicsDelayNobody() throws Exception {
    framesBesideQuietTenant(
        TestingKafkaConnection.frame(
            METADATA,
            1,
            false,
            body -> {
              body.writeInt(4_000);
              for (int topic = 0; topic < 4_000; topic++) {
                body.writeShort(0); // an empty name
              }
            }));
  }

  private void framesBesideQuietTenant(byte[] frame) throws IOException {
    int port = platform.bean(KafkaListenerServer.class).port();
    besideQuietTenant(
        new RepeatedAttack(
            2,
            Duration.ofMillis(50),
            number -> {
              try (TestingKafkaConnection connection = new TestingKafkaConnection(port)) {
                connection.logIn(RunningPlatform.EXTRA_KEY);
                connection.send(frame);
                connection.receive();
              }
            }));
  }

  /** In turn more than the plan has, which is refused, and another number below it. */
  @Test
  void budgetsThatAreRaisedDelayNobodyAndStayBelowThePlan() throws Exception {
    TestingBrowser founder = TestingPeople.signedIn(platform, "raiser@example.org");
    String organization = organizationOf(founder, "High hopes");
    String environments = "/api/v1/organizations/" + organization + "/environments";
    founder.change("POST", environments, "{\"id\":\"high\",\"display_name\":\"x\"}");
    String budgets = environments + "/high/budgets";
    RepeatedAttack raises =
        new RepeatedAttack(
            1,
            Duration.ofMillis(20),
            number -> {
              boolean isTooMuch = number % 2 == 0;
              long series = isTooMuch ? 1_000_000_000L : 1_000 + number;
              int status =
                  founder
                      .change("PUT", budgets, "{\"active_series\":" + series + "}", "If-Match", "*")
                      .status();
              assertThat(status).isEqualTo(isTooMuch ? 400 : 200);
            });
    besideQuietTenant(raises);
    assertThat(raises.failures()).as("raises that ended otherwise").isZero();
    assertThat(
            founder
                .call("GET", budgets, null)
                .body()
                .path("in_force")
                .path("active_series")
                .asLong())
        .isBetween(1_000L, 200_000L);
  }

  private static String organizationOf(TestingBrowser founder, String name) {
    return founder
        .change("POST", "/api/v1/organizations", "{\"display_name\":\"" + name + "\"}")
        .body()
        .path("id")
        .asString();
  }

  @Test
  void environmentsThatMultiplyDelayNobodyAndComeToAnEnd() throws Exception {
    TestingBrowser founder = TestingPeople.signedIn(platform, "multiplier@example.org");
    String organization = organizationOf(founder, "Many places");
    besideQuietTenant(
        new RepeatedAttack(
            1,
            Duration.ofMillis(50),
            number ->
                founder.change(
                    "POST",
                    "/api/v1/organizations/" + organization + "/environments",
                    "{\"id\":\"many-%d\",\"display_name\":\"x\"}".formatted(number))));
    assertThat(
            platform
                .database()
                .sql("SELECT count(*) FROM environment WHERE organization_id = :organization")
                .param("organization", organization)
                .query(Integer.class)
                .single())
        .isBetween(2, RunningPlatform.MAX_ENVIRONMENTS);
  }

  private void besideQuietTenant(RepeatedAttack attack) throws IOException {
    besideQuietTenant(List.of(attack));
    assertThat(attack.steps()).as("steps of the attack").isGreaterThan(4);
  }

  private void besideQuietTenant(TricklingClients attack) throws IOException {
    besideQuietTenant(List.of(attack));
  }

  private void besideQuietTenant(List<? extends Attack> attacks) throws IOException {
    quiet.send(Duration.ofMillis(500));
    QuietSender.Outcome before = quiet.send(ATTACK.dividedBy(2));
    long heldBefore = heap();
    for (Attack attack : attacks) {
      attack.start();
    }
    QuietSender.Outcome beside = quiet.send(ATTACK);
    for (Attack attack : attacks) {
      attack.close();
    }
    System.out.println("Quiet tenant: before " + before + ", beside the attack " + beside);
    assertThat(before.refused() + beside.refused()).isZero();
    assertThat(
            platform.topic().batches().stream()
                .filter(batch -> batch.organization().equals(new TenantId("org-demo"))))
        .hasSize(quiet.sent());
    assertThat(beside.p99()).isLessThan(before.p99().multipliedBy(3).dividedBy(2).plus(NOISE));
    if (STRICT) {
      platform.topic().reset();
      assertThat(heap() - heldBefore).as("bytes that the attack left").isLessThan(MAX_REST);
    }
  }

  /** What is in use; of tests and platform together, since they are one process. */
  private static long heap() {
    if (STRICT) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
