package io.tidemark.platform.selftelemetry;

import io.tidemark.platform.shared.ValidatedSettings;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where a Prometheus of the operator reads platform-api's own metrics.
 *
 * @param address it listens on; blank for every address of the machine
 * @param port 0 takes a free one; -1 opens none
 */
@ConfigurationProperties("tidemark.scrape")
record ScrapeProperties(@DefaultValue("") String address, @DefaultValue("-1") int port)
    implements ValidatedSettings {

  @Override
  public List<String> faults() {
    return port < -1 || port > 65535
        ? List.of("TIDEMARK_SCRAPE_PORT must be 1 to 65535, or unset")
        : List.of();
  }
}
