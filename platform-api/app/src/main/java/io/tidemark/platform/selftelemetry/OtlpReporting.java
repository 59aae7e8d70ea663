package io.tidemark.platform.selftelemetry;

import io.micrometer.registry.otlp.AggregationTemporality;
import io.micrometer.registry.otlp.OtlpConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Deltas, so that a report that was lost or a restart never shows as a jump. */
record OtlpReporting(SelfTelemetryProperties properties, ProcessIdentity process)
    implements OtlpConfig {

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
    Map<String, String> attributes = new HashMap<>(process.attributes());
    // One resource, whatever the number of processes: they are told apart by their instances.
    attributes.put("tidemark.resource.type", ProcessIdentity.SERVICE);
    attributes.put("tidemark.resource.id", ProcessIdentity.SERVICE);
    return attributes;
  }
}
