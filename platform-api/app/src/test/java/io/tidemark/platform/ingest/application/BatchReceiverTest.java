package io.tidemark.platform.ingest.application;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.tidemark.platform.ingest.application.BatchPublisher.RecordTooLargeForTopicException;
import io.tidemark.platform.ingest.domain.Allowance;
import io.tidemark.platform.ingest.domain.BatchId;
import io.tidemark.platform.ingest.domain.IdempotencyKey;
import io.tidemark.platform.ingest.domain.IngestOutcome;
import io.tidemark.platform.ingest.domain.IngestOutcome.Accepted;
import io.tidemark.platform.ingest.domain.IngestOutcome.Malformed;
import io.tidemark.platform.ingest.domain.IngestOutcome.NotStored;
import io.tidemark.platform.ingest.domain.IngestOutcome.TooLarge;
import io.tidemark.platform.ingest.domain.Quota;
import io.tidemark.platform.ingest.domain.QuotaLimits;
import io.tidemark.platform.ingest.domain.RejectionReason;
import io.tidemark.platform.ingest.domain.TenantRateLimiter;
import io.tidemark.platform.ingest.otlp.OtlpProtobuf;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingPointsTopic;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class BatchReceiverTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:30.5Z");
  private static final Caller WRITER = caller(Permission.METRICS_WRITE);

  private final TestingPointsTopic topic = new TestingPointsTopic();
  private final List<IngestOutcome> journal = new ArrayList<>();
  private final Map<String, String> described = new HashMap<>();
  private final BatchReceiver gateway =
      new BatchReceiver(
          topic,
          (organization, protocol, bytes, outcome) -> journal.add(outcome),
          Clock.fixed(NOW, ZoneOffset.UTC),
          new TenantRateLimiter(
              (tenant, environment) -> new Allowance(new QuotaLimits(2, 1_000, 1), null),
              (tenant, environment) -> Optional.empty(),
              () -> 0,
              (organization, environment, quota, amount) -> {}),
          (organization, environment, sent) -> described.putAll(sent),
          1_000);

  private static Caller caller(Permission... scopes) {
    return new Caller(
        new TenantId("org-a"), new EnvironmentId("env-a"), "AAAAAAAAAAAAAAAA", Set.of(scopes));
  }

  private CompletionStage<IngestOutcome> receive(byte[] body) {
    return receive(null, body);
  }

  private CompletionStage<IngestOutcome> receive(String key, byte[] body) {
    return gateway.receive(WRITER, "otlp_http", IdempotencyKey.of(key), body, new OtlpProtobuf());
  }

  private IngestOutcome outcome(byte[] body) {
    return receive(body).toCompletableFuture().join();
  }

  @Test
  void anAcceptedBatchIsPublishedByteForByteUnderItsCallersTenant() {
    byte[] body = request(counter("orders", point(NOW, 1), point(NOW, 2))).toByteArray();
    assertThat(outcome(body))
        .isInstanceOfSatisfying(
            Accepted.class,
            accepted -> {
              assertThat(accepted.points()).isEqualTo(2);
              assertThat(accepted.rejections().isEmpty()).isTrue();
              assertThat(accepted.receipt())
                  .isEqualTo(BatchId.of(new TenantId("org-a"), new EnvironmentId("env-a"), body));
            });
    BatchPublisher.Batch batch = topic.batches().get(0);
    assertThat(topic.batches()).hasSize(1);
    assertThat(batch.record()).isEqualTo(body);
    assertThat(batch.organization()).isEqualTo(new TenantId("org-a"));
    assertThat(batch.environment()).isEqualTo(new EnvironmentId("env-a"));
    assertThat(batch.receivedAt()).isEqualTo(NOW);
    assertThat(batch.id())
        .isEqualTo(BatchId.of(new TenantId("org-a"), new EnvironmentId("env-a"), body));
    assertThat(journal).hasSize(1);
  }

  @Test
  void thereIsNoOutcomeBeforeKafkaHasConfirmed() {
    CompletableFuture<Void> confirmation = new CompletableFuture<>();
    topic.answerWith(confirmation);
    CompletableFuture<IngestOutcome> outcome =
        receive(request(counter("orders", point(NOW, 1))).toByteArray()).toCompletableFuture();
    assertThat(outcome).isNotDone();
    assertThat(journal).isEmpty();
    confirmation.complete(null);
    assertThat(outcome).isCompletedWithValueMatching(Accepted.class::isInstance);
  }

  @Test
  void theValidPartIsPublishedAndTheRestIsReported() throws Exception {
    byte[] body =
        request(
                counter("orders", point(NOW, 1), point(NOW, Double.NaN)),
                counter("later", point(NOW.plus(Duration.ofMinutes(11)), 1)))
            .toByteArray();
    Accepted accepted = (Accepted) outcome(body);
    assertThat(accepted.points()).isEqualTo(1);
    assertThat(accepted.rejections().byReason())
        .isEqualTo(
            Map.of(
                RejectionReason.VALUE_NOT_FINITE, 1L, RejectionReason.TIMESTAMP_OUT_OF_RANGE, 1L));
    assertThat(ExportMetricsServiceRequest.parseFrom(topic.batches().get(0).record()))
        .isEqualTo(request(counter("orders", point(NOW, 1))));
    assertThat(topic.batches().get(0).id())
        .isEqualTo(BatchId.of(new TenantId("org-a"), new EnvironmentId("env-a"), body));
  }

  @Test
  void nothingIsPublishedForAnEmptyOrWhollyRefusedBatch() {
    assertThat(outcome(new byte[0]))
        .isInstanceOfSatisfying(
            Accepted.class, accepted -> assertThat(accepted.receipt()).isNull());
    assertThat(outcome(request(counter("orders", point(Instant.EPOCH, 1))).toByteArray()))
        .isInstanceOfSatisfying(
            Accepted.class, accepted -> assertThat(accepted.rejections().total()).isEqualTo(1));
    assertThat(topic.batches()).isEmpty();
  }

  @Test
  void aBodyThatIsNotOtlpIsMalformed() {
    assertThat(outcome("garbage".getBytes(StandardCharsets.UTF_8))).isInstanceOf(Malformed.class);
    assertThat(topic.batches()).isEmpty();
  }

  @Test
  void aBodyOverTheLimitIsTooLarge() {
    assertThat(outcome(new byte[1_001])).isEqualTo(new TooLarge(1_000));
  }

  @Test
  void aFailedPublicationAsksTheSenderToComeBack() {
    topic.failWith(new IllegalStateException("timed out"));
    assertThat(outcome(request(counter("orders", point(NOW, 1))).toByteArray()))
        .isInstanceOfSatisfying(
            NotStored.class, notStored -> assertThat(notStored.retryAfter()).isPositive());
  }

  @Test
  void aRecordThatTheTopicNeverTakesIsTooLarge() {
    topic.failWith(new RecordTooLargeForTopicException(null));
    assertThat(outcome(request(counter("orders", point(NOW, 1))).toByteArray()))
        .isInstanceOf(TooLarge.class);
  }

  @Test
  void aTenantOverItsQuotaIsToldBeforeAnythingIsReadAndNeverAfter() {
    assertThat(gateway.admit(WRITER, "otlp_http")).isEmpty();
    // Far more points than its quota of 1 in a second: taken whole, since it was let in.
    byte[] body =
        request(
                counter(
                    "orders",
                    java.util.Collections.nCopies(30, point(NOW, 1))
                        .toArray(NumberDataPoint[]::new)))
            .toByteArray();
    assertThat(outcome(body)).isInstanceOf(Accepted.class);
    assertThat(journal).hasSize(1);
    assertThat(gateway.admit(WRITER, "otlp_http"))
        .hasValueSatisfying(over -> assertThat(over.quota()).isEqualTo(Quota.POINTS));
    assertThat(journal.get(1)).isInstanceOf(IngestOutcome.OverQuota.class);
    assertThat(topic.batches()).hasSize(1);
  }

  @Test
  void aCallerWithoutTheScopeCannotWrite() {
    assertThatThrownBy(
            () ->
                gateway.receive(
                    caller(Permission.METRICS_READ),
                    "otlp_http",
                    null,
                    new byte[0],
                    new OtlpProtobuf()))
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> assertThat(problem.code()).isEqualTo(ErrorCode.FORBIDDEN));
  }

  @Test
  void anIdempotencyKeyIsPartOfWhatABatchIs() {
    byte[] body = request(counter("orders", point(NOW, 1))).toByteArray();
    receive("first", body);
    receive("first", body);
    receive("second", body);
    receive(null, body);
    assertThat(topic.batches().stream().map(BatchPublisher.Batch::id).distinct()).hasSize(3);
    assertThat(topic.batches().get(0).id())
        .isEqualTo(topic.batches().get(1).id())
        .isEqualTo(
            BatchId.of(
                new TenantId("org-a"),
                new EnvironmentId("env-a"),
                IdempotencyKey.of("first"),
                body));
    assertThat(topic.batches().get(0).key()).isEqualTo(IdempotencyKey.of("first"));
  }

  /** A Collector that sends to production and to staging sends the same batches twice. */
  @Test
  void theSameBytesOfAnotherEnvironmentAreAnotherBatch() {
    byte[] body = request(counter("orders", point(NOW, 1))).toByteArray();
    Caller staging =
        new Caller(
            WRITER.organization(),
            new EnvironmentId("env-staging"),
            "BBBBBBBBBBBBBBBB",
            WRITER.permissions());
    for (String key : new String[] {null, "first"}) {
      for (Caller caller : List.of(WRITER, staging)) {
        assertThat(
                gateway
                    .receive(caller, "otlp_http", IdempotencyKey.of(key), body, new OtlpProtobuf())
                    .toCompletableFuture()
                    .join())
            .isInstanceOf(Accepted.class);
      }
    }
    assertThat(topic.batches().stream().map(BatchPublisher.Batch::id).distinct()).hasSize(4);
  }

  @Test
  void aKeyThatCameWithOtherBytesIsRefusedAndNothingIsStored() {
    byte[] body = request(counter("orders", point(NOW, 1))).toByteArray();
    byte[] other = request(counter("orders", point(NOW, 2))).toByteArray();
    topic.failWith(new IllegalStateException("timed out"));
    assertThat(receive("key", other).toCompletableFuture().join()).isInstanceOf(NotStored.class);
    topic.reset();
    // What is not stored has not used the key.
    assertThat(receive("key", body).toCompletableFuture().join()).isInstanceOf(Accepted.class);
    assertThat(receive("key", other).toCompletableFuture().join())
        .isEqualTo(new IngestOutcome.KeyReused(IdempotencyKey.of("key")));
    assertThat(receive("key", body).toCompletableFuture().join()).isInstanceOf(Accepted.class);
    assertThat(topic.batches()).hasSize(2);
  }

  @Test
  void whatIsNoIdempotencyKeyIsRefused() {
    for (String key : List.of("", "two words", "schlüssel", "x".repeat(129))) {
      assertThatThrownBy(() -> IdempotencyKey.of(key)).isInstanceOf(ProblemException.class);
    }
    assertThat(IdempotencyKey.of(null)).isNull();
  }

  @Test
  void theSameBytesOfAnotherTenantAreAnotherBatch() {
    byte[] body = {1, 2, 3};
    assertThat(BatchId.of(new TenantId("org-a"), new EnvironmentId("env-a"), body))
        .isEqualTo(BatchId.of(new TenantId("org-a"), new EnvironmentId("env-a"), body.clone()))
        .isNotEqualTo(BatchId.of(new TenantId("org-b"), new EnvironmentId("env-a"), body));
    // SHA-256 of "org-a/env-a", 0x00, 0x01 0x02 0x03
    assertThat(BatchId.of(new TenantId("org-a"), new EnvironmentId("env-a"), body).hex())
        .isEqualTo("b33dd7cd6252cc668ca134a544d297854c0b39d31b632740114763ec72d3c501");
  }

  @Test
  void whatASenderSaysOfAMetricWithAcceptedPointsIsHeard() {
    receive(
        request(
                counter("orders", point(NOW, 1)).toBuilder()
                    .setDescription("Orders taken.")
                    .build(),
                counter("plain", point(NOW, 1)),
                counter("early", point(NOW.plusSeconds(9_000), 1)).toBuilder()
                    .setDescription("Too early.")
                    .build())
            .toByteArray());
    assertThat(described).isEqualTo(Map.of("orders", "Orders taken."));
  }
}
