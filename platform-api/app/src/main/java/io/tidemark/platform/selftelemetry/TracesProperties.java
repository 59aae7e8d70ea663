package io.tidemark.platform.selftelemetry;

import io.tidemark.platform.shared.ValidatedSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where spans of requests go.
 *
 * @param endpoint OTLP/HTTP traces URL; empty to record none
 * @param ratio of requests that are recorded, 0 to 1
 * @param headers of every export: name=value, separated by commas
 * @param timeout of one export
 */
@ConfigurationProperties("tidemark.traces")
record TracesProperties(
    @DefaultValue("") String endpoint,
    @DefaultValue("0.01") double ratio,
    @DefaultValue("") String headers,
    @DefaultValue("10s") Duration timeout)
    implements ValidatedSettings {

  @Override
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (!endpoint.isEmpty() && !endpoint.matches("https?://\\S+")) {
      faults.add("TIDEMARK_TRACES_ENDPOINT must be an http or https URL, or unset");
    }
    if (!(ratio >= 0 && ratio <= 1)) {
      faults.add("TIDEMARK_TRACES_RATIO must be 0 to 1");
    }
    if (!headers.matches("|[A-Za-z0-9-]+=[^,]+(,[A-Za-z0-9-]+=[^,]+)*")) {
      faults.add("TIDEMARK_TRACES_HEADERS must be name=value, separated by commas, or unset");
    }
    if (timeout.compareTo(Duration.ofMillis(100)) < 0) {
      faults.add("tidemark.traces.timeout must be at least 100ms");
    }
    return faults;
  }

  Map<String, String> headersByName() {
    Map<String, String> byName = new LinkedHashMap<>();
    if (!headers.isEmpty()) {
      for (String header : headers.split(",")) {
        int end = header.indexOf('=');
        byName.put(header.substring(0, end), header.substring(end + 1));
      }
    }
    return byName;
  }

  @Override
  public String toString() {
    return "TracesProperties[endpoint=" + endpoint + ", ratio=" + ratio + "]";
  }
}
