package io.tidemark.platform.ingest.kafka.listener;

import io.tidemark.platform.access.Authentication;
import io.tidemark.platform.ingest.application.BatchReceiver;
import io.tidemark.platform.ingest.application.MetricDescriptions;
import io.tidemark.platform.ingest.domain.Allowance;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.ingest.domain.QuotaLimits;
import io.tidemark.platform.ingest.domain.TenantRateLimiter;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingKeys;
import io.tidemark.platform.testing.TestingPointsTopic;
import io.tidemark.platform.tls.DoorCertificate;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;

/** A listener of its own on a free port of loopback; two tenants may write, and nobody else. */
final class TestingKafkaListener {

  static final int BODY = 1024 * 1024;

  private final TestingPointsTopic topic = new TestingPointsTopic();
  private final InFlightByteLimiter inFlight = new InFlightByteLimiter(4 * BODY);
  private final KafkaListenerServer listener;

  TestingKafkaListener() {
    Authentication authentication = TestingKafkaListener::caller;
    BatchReceiver gateway =
        new BatchReceiver(
            topic,
            (organization, protocol, bytes, outcome) -> {},
            Clock.systemUTC(),
            new TenantRateLimiter(
                (tenant, environment) ->
                    new Allowance(
                        new QuotaLimits(1_000_000_000, 1_000_000_000, 1_000_000_000), null),
                (tenant, environment) -> Optional.empty(),
                System::nanoTime,
                (organization, environment, quota, amount) -> {}),
            MetricDescriptions.NONE,
            BODY);
    listener =
        new KafkaListenerServer(
            new KafkaListenerProperties("127.0.0.1", 0, "", 20),
            authentication,
            gateway,
            inFlight,
            DoorCertificate.none());
  }

  private static Caller caller(String authorization) {
    for (char letter : "AB".toCharArray()) {
      String tenant = String.valueOf(Character.toLowerCase(letter));
      String[] key = TestingKeys.key("env-" + tenant, letter).split("_", -1);
      String credentials = key[2] + ":" + key[3];
      if (("Basic "
              + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)))
          .equals(authorization)) {
        return new Caller(
            new TenantId("org-" + tenant),
            new EnvironmentId("env-" + tenant),
            key[2],
            Set.of(Permission.METRICS_WRITE));
      }
    }
    throw ProblemException.of(ErrorCode.UNAUTHENTICATED, "The credentials are not valid.");
  }

  void start() {
    listener.start();
  }

  void stop() {
    listener.stop();
  }

  int port() {
    return listener.port();
  }

  TestingPointsTopic topic() {
    return topic;
  }

  InFlightByteLimiter inFlight() {
    return inFlight;
  }
}
