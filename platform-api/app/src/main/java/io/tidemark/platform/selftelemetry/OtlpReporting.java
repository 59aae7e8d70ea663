package io.tidemark.platform.selftelemetry;

import io.micrometer.registry.otlp.AggregationTemporality;
import io.micrometer.registry.otlp.OtlpConfig;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Deltas, so that a report that was lost or a restart never shows as a jump. */
record OtlpReporting(SelfTelemetryProperties properties) implements OtlpConfig {

  @Override
  public @Nullable String get(String key) {
    return null;
  }

  @Override
  public String url() {
    return properties.url();
  }

  @Override
  public Map<String, String> headers() {
    return Map.of("Authorization", properties.authorization());
  }

  @Override
  public Duration step() {
    return properties.step();
  }

  @Override
  public AggregationTemporality aggregationTemporality() {
    return AggregationTemporality.DELTA;
  }

  @Override
  public Map<String, String> resourceAttributes() {
    return Map.of(
        "service.name", "platform-api",
        "tidemark.resource.type", "platform-api",
        "tidemark.resource.id", "platform-api");
  }
}
