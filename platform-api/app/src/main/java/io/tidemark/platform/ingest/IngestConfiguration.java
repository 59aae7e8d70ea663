package io.tidemark.platform.ingest;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.platform.catalog.DescriptionRecorder;
import io.tidemark.platform.ingest.application.BatchPublisher;
import io.tidemark.platform.ingest.application.BatchReceiver;
import io.tidemark.platform.ingest.application.IngestMetrics;
import io.tidemark.platform.ingest.application.MetricDescriptions;
import io.tidemark.platform.ingest.application.SeriesBudgetCheck;
import io.tidemark.platform.ingest.application.TenantQuotas;
import io.tidemark.platform.ingest.domain.Allowance;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.ingest.domain.IngestOutcome.OverQuota;
import io.tidemark.platform.ingest.domain.Quota;
import io.tidemark.platform.ingest.domain.QuotaLimits;
import io.tidemark.platform.ingest.domain.SeriesBudget;
import io.tidemark.platform.ingest.domain.TenantRateLimiter;
import io.tidemark.platform.ingest.kafka.KafkaHealthIndicator;
import io.tidemark.platform.ingest.kafka.KafkaPointsTopic;
import io.tidemark.platform.ingest.kafka.NativeLz4;
import io.tidemark.platform.ingest.kafka.TracedPointsTopic;
import io.tidemark.platform.ingest.micrometer.MicrometerIngestMetrics;
import io.tidemark.platform.kafka.BrokerAccess;
import io.tidemark.platform.quotas.EffectiveQuotas;
import io.tidemark.platform.quotas.QuotaAmounts;
import io.tidemark.platform.quotas.SeriesBudgetStatus;
import io.tidemark.platform.replicas.SharedCounts;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.SpanRecorder;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the gateway together. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(ProcessRole.INGEST)
class IngestConfiguration {

  @Bean
  InFlightByteLimiter inFlightByteLimiter(IngestProperties properties) {
    return new InFlightByteLimiter(
        properties.maxInFlight().toBytes(), properties.inFlightOfTenant());
  }

  @Bean
  IngestMetrics ingestMetrics(MeterRegistry registry, InFlightByteLimiter inFlight) {
    return new MicrometerIngestMetrics(registry, inFlight);
  }

  @Bean
  TenantQuotas tenantQuotas(EffectiveQuotas quotas) {
    return (organization, environment) -> {
      EffectiveQuotas.Allowance allowance = quotas.of(organization, environment);
      QuotaAmounts own = allowance.environment();
      return new Allowance(limits(allowance.organization()), own == null ? null : limits(own));
    };
  }

  private static QuotaLimits limits(QuotaAmounts amounts) {
    return new QuotaLimits(amounts.requests(), amounts.bytes(), amounts.points());
  }

  @Bean
  SeriesBudgetCheck seriesBudgetCheck(SeriesBudgetStatus refused) {
    return (organization, environment) ->
        refused
            .of(organization, environment)
            .map(
                refusal ->
                    new OverQuota(
                        switch (refusal.budget()) {
                          case ACTIVE_SERIES -> SeriesBudget.ACTIVE_SERIES;
                          case NEW_SERIES_PER_MINUTE -> SeriesBudget.NEW_SERIES_PER_MINUTE;
                        },
                        refusal.limit(),
                        refusal.retryAfter()));
  }

  @Bean
  TenantRateLimiter tenantRateLimiter(
      TenantQuotas quotas, SeriesBudgetCheck series, SharedCounts counts) {
    AtomicReference<SharedCounts.Count> shared = new AtomicReference<>(SharedCounts.Count.ALONE);
    TenantRateLimiter limiter =
        new TenantRateLimiter(
            quotas::of,
            series::of,
            System::nanoTime,
            (organization, environment, quota, amount) ->
                shared
                    .get()
                    .used(
                        organization.value() + " " + environment.value() + " " + quota.name(),
                        amount));
    shared.set(
        counts.open(
            "ingest",
            (holder, amount) -> {
              String[] words = holder.split(" ");
              limiter.usedElsewhere(
                  new TenantId(words[0]),
                  new EnvironmentId(words[1]),
                  Quota.valueOf(words[2]),
                  amount);
            }));
    return limiter;
  }

  @Bean
  MetricDescriptions metricDescriptions(DescriptionRecorder recorder) {
    return recorder::sent;
  }

  @Bean
  BatchReceiver batchReceiver(
      BatchPublisher topic,
      IngestMetrics journal,
      Clock clock,
      TenantRateLimiter admission,
      MetricDescriptions descriptions,
      IngestProperties properties,
      SpanRecorder spans) {
    BatchPublisher recorded = spans.isOn() ? new TracedPointsTopic(topic, spans) : topic;
    return new BatchReceiver(
        recorded, journal, clock, admission, descriptions, properties.maxBody().toBytes());
  }

  @Bean
  BatchPublisher pointsTopic(Producer<byte[], byte[]> producer, IngestProperties properties) {
    return new KafkaPointsTopic(producer, properties.pointsTopic());
  }

  /**
   * Confirmed by all in-sync replicas, and idempotent so that the client's own retries write once.
   * The whole attempt ends within 15 s: a sender must hear 503 before its own timeout.
   */
  @Bean(destroyMethod = "close")
  Producer<byte[], byte[]> pointsProducer(IngestProperties properties) {
    NativeLz4.load();
    Map<String, Object> settings = new HashMap<>();
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, properties.kafka());
    settings.put(ProducerConfig.CLIENT_ID_CONFIG, "platform-api-ingest");
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 5);
    // Room for a usual request before compression: the client uses such memory again, and clears
    // new memory for each record that is larger.
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 512 * 1024);
    settings.put(
        ProducerConfig.MAX_REQUEST_SIZE_CONFIG, (int) IngestProperties.MAX_RECORD.toBytes());
    settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 40L * 1024 * 1024);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 5_000);
    return new KafkaProducer<>(
        BrokerAccess.with(settings), new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Bean(destroyMethod = "close")
  Admin kafkaAdmin(IngestProperties properties) {
    return Admin.create(
        BrokerAccess.with(
            Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                properties.kafka(),
                AdminClientConfig.CLIENT_ID_CONFIG,
                "platform-api-readiness",
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                2_000,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                2_000)));
  }

  /** Named so that the readiness group finds it as kafka. */
  @Bean
  KafkaHealthIndicator kafkaHealthIndicator(Admin admin, IngestProperties properties) {
    return new KafkaHealthIndicator(admin, properties.pointsTopic(), Duration.ofSeconds(2));
  }
}
