package io.tidemark.platform.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.ingest.grpc.OtlpGrpcServer;
import io.tidemark.platform.ingest.kafka.listener.KafkaListenerServer;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.QuietSender;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import io.tidemark.platform.testing.TricklingClients;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
  private static final int MEBIBYTE = 1024 * 1024;

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
    try (TricklingClients clients =
        new TricklingClients(
            platform.api("/").getPort(),
            60,
            post(
                "/identity/sign-in",
                "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100000\r\n"))) {
      clients.start();
      Awaitility.await()
          .atMost(Duration.ofSeconds(15))
          .untilAsserted(() -> assertThat(clients.ended()).isGreaterThan(30));
      assertThat(io.tidemark.platform.testing.Http.get(platform.api("/livez")).statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void connectionsOfStrangersLeaveTheKafkaListenerOpen() throws Exception {
    try (TricklingClients clients =
        new TricklingClients(platform.bean(KafkaListenerServer.class).port(), 300, "")) {
      clients.start();
      Awaitility.await()
          .atMost(Duration.ofSeconds(5))
          .untilAsserted(() -> assertThat(clients.ended()).isGreaterThan(100));
      besideQuietTenant(List.of());
    }
  }

  @Test
  void preludesOfStrangersLeaveGrpcOpen() throws Exception {
    besideQuietTenant(
        new TricklingClients(platform.bean(OtlpGrpcServer.class).port(), 100, "PRI * HTTP/2.0"));
  }

  private void besideQuietTenant(TricklingClients attack) throws IOException {
    besideQuietTenant(List.of(attack));
  }

  private void besideQuietTenant(List<TricklingClients> attacks) throws IOException {
    quiet.send(Duration.ofMillis(500));
    QuietSender.Outcome before = quiet.send(ATTACK.dividedBy(2));
    for (TricklingClients attack : attacks) {
      attack.start();
    }
    QuietSender.Outcome beside = quiet.send(ATTACK);
    for (TricklingClients attack : attacks) {
      attack.close();
    }
    System.out.println("Quiet tenant: before " + before + ", beside the attack " + beside);
    assertThat(before.refused() + beside.refused()).isZero();
    assertThat(
            platform.topic().batches().stream()
                .filter(batch -> batch.organization().equals(new TenantId("org-demo"))))
        .hasSize(quiet.sent());
    assertThat(beside.p99()).isLessThan(before.p99().multipliedBy(3).dividedBy(2).plus(NOISE));
  }
}
