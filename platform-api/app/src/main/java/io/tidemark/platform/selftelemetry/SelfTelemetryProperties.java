package io.tidemark.platform.selftelemetry;

import io.tidemark.platform.shared.ValidatedSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where platform-api reports itself to.
 *
 * @param url OTLP/HTTP metrics URL; empty to report nothing
 * @param authorization value of the Authorization header
 * @param step time between reports
 */
@ConfigurationProperties("tidemark.self-telemetry")
record SelfTelemetryProperties(
    @DefaultValue("") String url,
    @DefaultValue("") String authorization,
    @DefaultValue("10s") Duration step)
    implements ValidatedSettings {

  @Override
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (!url.isEmpty() && !url.matches("https?://\\S+")) {
      faults.add("TIDEMARK_SELF_TELEMETRY_URL must be an http or https URL, or unset");
    }
    if (!url.isEmpty() && authorization.isBlank()) {
      faults.add(
          "TIDEMARK_SELF_TELEMETRY_AUTHORIZATION must be set when TIDEMARK_SELF_TELEMETRY_URL is");
    }
    if (step.compareTo(Duration.ofSeconds(1)) < 0) {
      faults.add("tidemark.self-telemetry.step must be at least 1s");
    }
    return faults;
  }

  @Override
  public String toString() {
    return "SelfTelemetryProperties[url=" + url + ", step=" + step + "]";
  }
}
